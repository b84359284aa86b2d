import { collection, type Scope, within } from './scope.ts';

/** Whether the service has no user yet: its first start. */
export async function noUsers(scope: Scope): Promise<boolean> {
  return (await collection(scope, 'users').findOne({}, { projection: { _id: 1 }, ...within(scope) })) === null;
}
