import { bytes, type Screen, widthOf } from './terminal.ts';

/** A line that is written over until it ends; silent where there is no terminal. */
export type Progress = { show(text: string, fraction?: number | null): void; end(): void };

const PAUSE_MS = 80;
const BAR = 24;

/** Shows how far something is, at most twelve times a second, in one line of the terminal. */
export function progressOn(screen: Screen, clock: () => number = Date.now): Progress {
  if (screen.isTTY !== true) return { show: () => undefined, end: () => undefined };
  let last = Number.NEGATIVE_INFINITY;
  return {
    show(text, fraction = null) {
      const now = clock();
      if (now - last < PAUSE_MS && fraction !== 1) return;
      last = now;
      screen.write(
        `\r${cut(fraction === null ? text : `${bar(fraction)} ${text}`, (screen.columns ?? 80) - 1)}\u001b[K`,
      );
    },
    end() {
      if (last !== Number.NEGATIVE_INFINITY) screen.write('\r\u001b[K');
      last = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Shows the bytes of a transfer with its speed and the time that is left. */
export function transferOn(
  progress: Progress,
  name: string,
  size: number,
  clock: () => number = Date.now,
): (moved: number) => void {
  const began = clock();
  return (moved) => {
    const seconds = (clock() - began) / 1000;
    const speed = seconds > 0 ? moved / seconds : 0;
    const left = speed > 0 && seconds > 1 ? `, ${Math.ceil((size - moved) / speed)} s left` : '';
    progress.show(
      `${name}  ${bytes(moved)} of ${bytes(size)}${speed ? `, ${bytes(Math.round(speed))}/s` : ''}${left}`,
      size ? moved / size : 1,
    );
  };
}

function bar(fraction: number): string {
  const full = Math.round(Math.min(Math.max(fraction, 0), 1) * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

function cut(text: string, width: number): string {
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > width) break;
    kept += character;
  }
  return kept;
}
