// Keyboard movement in lists.

/** Returns how far a key moves the selection in a vertical list: 1 down, -1 up, 0 for other keys. */
export function arrowStep(key: string): -1 | 0 | 1 {
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : 0;
}
