// The refused sign-ins since the start of this process, for administrators.
import { LRUCache } from 'lru-cache';

/** Refused credentials of one address. `token`: the prefix of the token, if it had the form of one. */
export type RefusedSignIns = {
  ip: string;
  token: string | null;
  /** `invalid`: never issued. `inactive`: expired, revoked, or of a blocked user. */
  reason: 'invalid' | 'inactive';
  count: number;
  firstAt: Date;
  lastAt: Date;
};

const MAX_ENTRIES = 200;

/** Creates the list: of the last 200 combinations of address, token prefix and reason. */
export function createRefusedSignIns(clock: () => Date): {
  add(refused: Pick<RefusedSignIns, 'ip' | 'token' | 'reason'>): void;
  /** Returns the list, the latest first. */
  list(): RefusedSignIns[];
} {
  const entries = new LRUCache<string, RefusedSignIns>({ max: MAX_ENTRIES });
  return {
    add({ ip, token, reason }) {
      const key = `${ip} ${token} ${reason}`;
      const before = entries.peek(key);
      const now = clock();
      entries.set(key, {
        ip,
        token,
        reason,
        count: (before?.count ?? 0) + 1,
        firstAt: before?.firstAt ?? now,
        lastAt: now,
      });
    },
    list: () => [...entries.values()],
  };
}
