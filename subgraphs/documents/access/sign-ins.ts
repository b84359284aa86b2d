// What a process remembers of good credentials, for so short a time that whoever is shut out stays in for at most 5 seconds.
import type { Actor } from '../../core/domain/access/actor.ts';
import type { Services } from '../../core/work.ts';

const GOOD_FOR = 5_000;
const MOST = 1_000;

type Remembered = { actor: Actor; until: number };

export type SignIns = {
  /** Who this credential belongs to, if it was good within the last 5 seconds. */
  fresh(key: string): Actor | null;
  /** Whether this credential was good when it was last asked for, however long ago. */
  wasGood(key: string): boolean;
  /** Runs a sign-in and remembers its answer, unless something about access changed meanwhile. */
  remember(key: string, signIn: () => Promise<Actor>): Promise<Actor>;
};

const ofProcess = new WeakMap<Services, SignIns & { forget(): void }>();

/** The credentials that were good in this process; a key is a hash, never the credential. */
export function signInsOf(services: Services): SignIns {
  return kept(services);
}

/** To be called when a token or a user has changed: the next request of everybody is looked up again. */
export function forgetSignIns(services: Services): void {
  kept(services).forget();
}

function kept(services: Services): SignIns & { forget(): void } {
  const made = ofProcess.get(services) ?? signIns();
  ofProcess.set(services, made);
  return made;
}

function signIns(): SignIns & { forget(): void } {
  const known = new Map<string, Remembered>();
  let changes = 0;
  return {
    fresh(key) {
      const found = known.get(key);
      return found && found.until > performance.now() ? found.actor : null;
    },
    wasGood: (key) => known.has(key),
    async remember(key, signIn) {
      const before = changes;
      const actor = await signIn();
      known.delete(key);
      known.set(key, { actor, until: before === changes ? performance.now() + GOOD_FOR : 0 });
      if (known.size > MOST) known.delete(known.keys().next().value ?? '');
      return actor;
    },
    forget() {
      changes += 1;
      for (const remembered of known.values()) remembered.until = 0;
    },
  };
}
