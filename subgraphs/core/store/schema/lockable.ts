/** A field of every record that a command may lock: `lock` counts its writes. */
export type Lockable = { lock: number };
