// JSON values in the storage of the browser, which the user can disable.

type StorageName = 'localStorage' | 'sessionStorage';

/** Reads a value. Undefined if there is none, the stored text is not JSON, or storage is disabled. */
export function readStored(key: string, storage: StorageName = 'localStorage'): unknown {
  try {
    const text = globalThis[storage].getItem(key);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a value, or removes it if it is undefined. Does nothing if storage is disabled or full. */
export function writeStored(key: string, value: unknown, storage: StorageName = 'localStorage'): void {
  try {
    if (value === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, JSON.stringify(value));
  } catch {
    // storage is disabled or full
  }
}
