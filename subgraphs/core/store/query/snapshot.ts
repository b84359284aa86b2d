import type { Mongo } from '../mongo.ts';
import type { Scope } from './scope.ts';

/** Reads several things as they were at one moment, whatever is written meanwhile. The reads go one after the other, and write nothing. */
export async function atOneMoment<T>({ client, db }: Mongo, read: (scope: Scope) => Promise<T>): Promise<T> {
  return client.withSession((session) =>
    session.withTransaction(() => read({ db, session }), {
      readConcern: { level: 'snapshot' },
      readPreference: 'primary',
    }),
  );
}
