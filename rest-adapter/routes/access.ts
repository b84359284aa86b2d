import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { PAGE, type Route, route } from '../route.ts';

export const ACCESS_ROUTES: readonly Route[] = [
  route('GET /me', {
    summary: 'Whose token this is, and what it allows',
    operation: operation(`
      query ReadCurrentUser {
        me {
          id
          name
          role
          via
          token {
            ...Token
          }
        }
      }
    `),
    pick: 'me',
    variables: {},
  }),
  route('GET /users', {
    summary: 'List the users; for administrators',
    operation: operation(`
      query ListUsers($sort: UserSort, $descending: Boolean, $limit: Int, $cursor: String, $total: Boolean) {
        users(sort: $sort, descending: $descending, limit: $limit, cursor: $cursor, total: $total) {
          items {
            ...Account
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'users',
    variables: PAGE,
    usualSort: 'createdAt',
  }),
  route('POST /users', {
    summary: 'Make a user; for administrators',
    operation: operation(`
      mutation CreateUser($name: String!, $role: Role!, $oidc: OidcIdentityInput) {
        createUser(name: $name, role: $role, oidc: $oidc) {
          ...Account
        }
      }
    `),
    pick: 'createUser',
    variables: { name: 'body.*', role: 'body.*', oidc: 'body.*' },
    example: { name: 'Ada Lovelace', role: 'editor' },
    status: 201,
    location: '/users/:id',
  }),
  route('GET /users/:id', {
    summary: 'Read a user; for administrators',
    operation: operation(`
      query ReadUser($id: ID!) {
        user(id: $id) {
          ...Account
        }
      }
    `),
    pick: 'user',
    variables: { id: 'path' },
  }),
  route('PATCH /users/:id', {
    summary: 'Change the name or role of a user, disable it or let it in again; for administrators',
    operation: operation(`
      mutation UpdateUser($id: ID!, $name: String, $role: Role, $disabled: Boolean) {
        updateUser(id: $id, name: $name, role: $role, disabled: $disabled) {
          ...Account
        }
      }
    `),
    pick: 'updateUser',
    variables: { id: 'path', name: 'body.*', role: 'body.*', disabled: 'body.*' },
    example: { name: 'Ada King', role: 'viewer', disabled: false },
    notNull: ['name', 'role', 'disabled'],
  }),
  route('GET /tokens', {
    summary: 'List one’s own tokens; as an administrator everybody’s, or those of a user',
    operation: operation(`
      query ListTokens(
        $userId: ID, $includeInactive: Boolean, $sort: TokenSort, $descending: Boolean, $limit: Int
        $cursor: String, $total: Boolean
      ) {
        tokens(
          userId: $userId, includeInactive: $includeInactive, sort: $sort, descending: $descending
          limit: $limit, cursor: $cursor, total: $total
        ) {
          items {
            ...Token
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'tokens',
    variables: {
      userId: 'query',
      includeInactive: 'query',
      ...PAGE,
    },
    usualSort: '-createdAt',
  }),
  route('POST /tokens', {
    summary: 'Make a token for a user; for administrators. The answer holds the token, which is told only once',
    operation: operation(`
      mutation CreateToken($name: String!, $userId: ID, $role: Role, $expiresInDays: Int) {
        createToken(name: $name, userId: $userId, role: $role, expiresInDays: $expiresInDays) {
          token
          id
          prefix
          name
          role
          user {
            id
            name
          }
          createdAt
          expiresAt
        }
      }
    `),
    pick: 'createToken',
    variables: { name: 'body.*', userId: 'body.*', role: 'body.*', expiresInDays: 'body.*' },
    example: { name: 'nightly import', userId: EXAMPLE_IDS.user, role: 'viewer', expiresInDays: 90 },
    status: 201,
    location: '/tokens/:id',
  }),
  route('GET /tokens/:id', {
    summary: 'Read a token of one’s own; as an administrator anybody’s',
    operation: operation(`
      query ReadToken($id: ID!) {
        token(id: $id) {
          ...Token
        }
      }
    `),
    pick: 'token',
    variables: {
      id: 'path',
    },
  }),
  route('DELETE /tokens/:id', {
    summary: 'Revoke a token of one’s own; as an administrator anybody’s',
    operation: operation(`
      mutation RevokeToken($id: ID!) {
        revokeToken(id: $id)
      }
    `),
    pick: 'revokeToken',
    variables: { id: 'path' },
    status: 204,
  }),
];
