/** A record that a command can lock. Locking increments `lock`, so that concurrent transactions conflict. */
export type Lockable = { lock: number };
