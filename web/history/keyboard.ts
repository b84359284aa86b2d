// Keyboard navigation of the history.
export type KeyAction =
  | { to: number; action?: undefined }
  | { to?: undefined; action: 'choose' | 'mark' | 'menu' | 'close' };

const PAGE_SIZE = 15;

/** Returns the row that a key moves to, or the action it starts on the active row; null if the key has no effect. */
export function keyAction(
  key: string,
  { active, rows, shift }: { active: number; rows: number; shift: boolean },
): KeyAction | null {
  const to = (row: number): KeyAction => ({ to: Math.max(0, Math.min(rows - 1, row)) });
  switch (key) {
    case 'ArrowDown':
      return to(active + 1);
    case 'ArrowUp':
      return to(active - 1);
    case 'PageDown':
      return to(active + PAGE_SIZE);
    case 'PageUp':
      return to(active - PAGE_SIZE);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows - 1);
    case 'Enter':
      return { action: 'choose' };
    case ' ':
      return { action: 'mark' };
    case 'm':
    case 'ContextMenu':
      return { action: 'menu' };
    case 'F10':
      return shift ? { action: 'menu' } : null;
    case 'Escape':
      return { action: 'close' };
    default:
      return null;
  }
}
