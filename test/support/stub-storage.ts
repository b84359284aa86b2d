import { vi } from 'vitest';

/** Replaces a storage of the browser by an empty one, and returns its texts by key. */
export function stubStorage(name: 'localStorage' | 'sessionStorage'): Map<string, string> {
  const texts = new Map<string, string>();
  vi.stubGlobal(name, {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => texts.set(key, value),
    removeItem: (key: string) => texts.delete(key),
  });
  return texts;
}
