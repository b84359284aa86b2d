// Creates the users of a MongoDB server, each with the privileges of its part of the service.
import type { Db, Document } from 'mongodb';
import { type DatabaseUser, privilegesOf } from './schema/privileges.ts';

/** The name and password of a user. */
export type Credentials = { name: string; password: string };

/**
 * Creates the role and the user of a part of the service in this database, or updates both. Requires a connection of an
 * administrator of users.
 */
export async function grantPrivileges(
  db: Pick<Db, 'command' | 'databaseName'>,
  user: DatabaseUser,
  { name, password }: Credentials,
): Promise<void> {
  const role = `pdm-${user}`;
  const { roles } = await db.command({ rolesInfo: role });
  await db.command({
    [hasEntries(roles) ? 'updateRole' : 'createRole']: role,
    privileges: privilegesOf(user, db.databaseName),
    roles: [],
  });
  const { users } = await db.command({ usersInfo: name });
  await db.command({
    [hasEntries(users) ? 'updateUser' : 'createUser']: name,
    pwd: password,
    roles: [{ role, db: db.databaseName }],
  });
}

function hasEntries(list: Document[] | undefined): boolean {
  return (list ?? []).length > 0;
}
