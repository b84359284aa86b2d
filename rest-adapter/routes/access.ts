import {
  CreateTokenDocument,
  CreateUserDocument,
  ListTokensDocument,
  ListUsersDocument,
  ReadCurrentUserDocument,
  ReadTokenDocument,
  ReadUserDocument,
  RevokeTokenDocument,
  UpdateUserDocument,
} from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const ACCESS_ROUTES: readonly Route[] = [
  route('GET /me', 'Whose token this is, and what it allows', ReadCurrentUserDocument, 'me', {}),
  route('GET /users', 'List the users; for administrators', ListUsersDocument, 'users', PAGE, {
    usualSort: 'createdAt',
  }),
  route(
    'POST /users',
    'Make a user; for administrators',
    CreateUserDocument,
    'createUser',
    { name: 'body.*', role: 'body.*', oidc: 'body.*' },
    { status: 201, location: '/users/:id' },
  ),
  route('GET /users/:id', 'Read a user; for administrators', ReadUserDocument, 'user', { id: 'path' }),
  route(
    'PATCH /users/:id',
    'Change the name or role of a user, disable it or let it in again; for administrators',
    UpdateUserDocument,
    'updateUser',
    { id: 'path', name: 'body.*', role: 'body.*', disabled: 'body.*' },
    { notNull: ['name', 'role', 'disabled'] },
  ),
  route(
    'GET /tokens',
    'List one’s own tokens; as an administrator everybody’s, or those of a user',
    ListTokensDocument,
    'tokens',
    {
      userId: 'query',
      includeInactive: 'query',
      ...PAGE,
    },
    { usualSort: '-createdAt' },
  ),
  route(
    'POST /tokens',
    'Make a token for a user; for administrators. The answer holds the token, which is told only once',
    CreateTokenDocument,
    'createToken',
    { name: 'body.*', userId: 'body.*', role: 'body.*', expiresInDays: 'body.*' },
    { status: 201, location: '/tokens/:id' },
  ),
  route('GET /tokens/:id', 'Read a token of one’s own; as an administrator anybody’s', ReadTokenDocument, 'token', {
    id: 'path',
  }),
  route(
    'DELETE /tokens/:id',
    'Revoke a token of one’s own; as an administrator anybody’s',
    RevokeTokenDocument,
    'revokeToken',
    { id: 'path' },
    { status: 204 },
  ),
];
