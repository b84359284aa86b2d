import type { Scope } from './scope.ts';

/** Runs reads on one snapshot of the database. They must run one after the other and must not write. */
export async function withSnapshot<T>({ db }: Scope, read: (scope: Scope) => Promise<T>): Promise<T> {
  return db.client.withSession((session) =>
    session.withTransaction(() => read({ db, session }), {
      readConcern: { level: 'snapshot' },
      readPreference: 'primary',
    }),
  );
}
