// What a key does in the history.
export type KeyDeed = { to: number; deed?: undefined } | { to?: undefined; deed: 'choose' | 'mark' | 'menu' | 'close' };

const PAGE = 15;

/** Where a key moves the active row to, or what it does with it; null when it is nothing to the history. */
export function keyDeed(
  key: string,
  { active, rows, shift }: { active: number; rows: number; shift: boolean },
): KeyDeed | null {
  const to = (row: number): KeyDeed => ({ to: Math.max(0, Math.min(rows - 1, row)) });
  switch (key) {
    case 'ArrowDown':
      return to(active + 1);
    case 'ArrowUp':
      return to(active - 1);
    case 'PageDown':
      return to(active + PAGE);
    case 'PageUp':
      return to(active - PAGE);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows - 1);
    case 'Enter':
      return { deed: 'choose' };
    case ' ':
      return { deed: 'mark' };
    case 'm':
    case 'ContextMenu':
      return { deed: 'menu' };
    case 'F10':
      return shift ? { deed: 'menu' } : null;
    case 'Escape':
      return { deed: 'close' };
    default:
      return null;
  }
}
