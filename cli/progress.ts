import { displayWidth, formatBytes, type Screen } from './terminal.ts';

/** A progress line on a terminal; prints nothing elsewhere. */
export type Progress = { show(text: string, fraction?: number | null): void; end(): void };

const UPDATE_INTERVAL_MS = 80;
const BAR_WIDTH = 24;

/** Creates a progress line, updated at most every 80 ms. */
export function createProgress(screen: Screen, clock: () => number = Date.now): Progress {
  if (screen.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let lastUpdate = Number.NEGATIVE_INFINITY;
  return {
    show(text, fraction = null) {
      const now = clock();
      if (now - lastUpdate < UPDATE_INTERVAL_MS && fraction !== 1) return;
      lastUpdate = now;
      const line = fraction === null ? text : `${progressBar(fraction)} ${text}`;
      screen.write(`\r${truncate(line, (screen.columns ?? 80) - 1)}\u001b[K`);
    },
    end() {
      if (lastUpdate !== Number.NEGATIVE_INFINITY) screen.write('\r\u001b[K');
      lastUpdate = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Returns a function that shows the transferred bytes with the speed and the remaining time. */
export function transferProgress(
  progress: Progress,
  name: string,
  size: number,
  clock: () => number = Date.now,
): (transferred: number) => void {
  const start = clock();
  return (transferred) => {
    const seconds = (clock() - start) / 1000;
    const speed = seconds > 0 ? transferred / seconds : 0;
    const rate = speed ? `, ${formatBytes(Math.round(speed))}/s` : '';
    const remaining = speed > 0 && seconds > 1 ? `, ${Math.ceil((size - transferred) / speed)} s left` : '';
    progress.show(
      `${name}  ${formatBytes(transferred)} of ${formatBytes(size)}${rate}${remaining}`,
      size ? transferred / size : 1,
    );
  };
}

function progressBar(fraction: number): string {
  const full = Math.round(Math.min(Math.max(fraction, 0), 1) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

function truncate(text: string, width: number): string {
  let result = '';
  for (const character of text) {
    if (displayWidth(result + character) > width) break;
    result += character;
  }
  return result;
}
