import { EXAMPLE_IDS } from '../example-ids.ts';
import { operation } from '../generated/operations.ts';
import { PAGE_VARIABLES, type Route, route } from '../route.ts';

export const ACCESS_ROUTES: readonly Route[] = [
  route('GET /me', {
    summary: 'Read the current user and the role of the token',
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
          setupRequired
        }
      }
    `),
    pick: 'me',
    variables: {},
  }),
  route('POST /setup', {
    summary:
      'Name the first administrator and replace the token of the first start. The response contains the new token, which is shown only once',
    operation: operation(`
      mutation CompleteSetup($name: String!) {
        completeSetup(name: $name) {
          ...CreatedToken
        }
      }
    `),
    pick: 'completeSetup',
    variables: { name: 'body.*' },
    example: { name: 'Ada Lovelace' },
    status: 201,
    location: '/tokens/:id',
  }),
  route('GET /users', {
    summary: 'List users (administrators only)',
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
    errors: ['admin_only'],
    variables: PAGE_VARIABLES,
    defaultSort: 'createdAt',
  }),
  route('POST /users', {
    summary: 'Create a user (administrators only)',
    operation: operation(`
      mutation CreateUser($name: String!, $role: Role!, $oidc: OidcIdentityInput) {
        createUser(name: $name, role: $role, oidc: $oidc) {
          ...Account
        }
      }
    `),
    pick: 'createUser',
    errors: ['admin_only', 'name_taken'],
    variables: { name: 'body.*', role: 'body.*', oidc: 'body.*' },
    example: { name: 'Ada Lovelace', role: 'editor' },
    status: 201,
    location: '/users/:id',
  }),
  route('GET /users/:id', {
    summary: 'Read a user (administrators only)',
    operation: operation(`
      query ReadUser($id: ID!) {
        user(id: $id) {
          ...Account
        }
      }
    `),
    pick: 'user',
    errors: ['admin_only'],
    variables: { id: 'path' },
  }),
  route('PATCH /users/:id', {
    summary: "Update a user's name or role, or disable or enable the user (administrators only)",
    operation: operation(`
      mutation UpdateUser($id: ID!, $name: String, $role: Role, $disabled: Boolean) {
        updateUser(id: $id, name: $name, role: $role, disabled: $disabled) {
          ...Account
        }
      }
    `),
    pick: 'updateUser',
    errors: ['admin_only'],
    variables: { id: 'path', name: 'body.*', role: 'body.*', disabled: 'body.*' },
    example: { name: 'Ada King', role: 'viewer', disabled: false },
    notNull: ['name', 'role', 'disabled'],
  }),
  route('GET /tokens', {
    summary: 'List your tokens; administrators list all tokens, or those of a user',
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
    errors: ['admin_only'],
    variables: {
      userId: 'query',
      includeInactive: 'query',
      ...PAGE_VARIABLES,
    },
    defaultSort: '-createdAt',
  }),
  route('POST /tokens', {
    summary:
      'Create a token for a user (administrators only). The response contains the token, which is shown only once',
    operation: operation(`
      mutation CreateToken($name: String!, $userId: ID, $role: Role, $expiresInDays: Int) {
        createToken(name: $name, userId: $userId, role: $role, expiresInDays: $expiresInDays) {
          ...CreatedToken
        }
      }
    `),
    pick: 'createToken',
    errors: ['admin_only', 'not_found'],
    variables: { name: 'body.*', userId: 'body.*', role: 'body.*', expiresInDays: 'body.*' },
    example: { name: 'nightly import', userId: EXAMPLE_IDS.user, role: 'viewer', expiresInDays: 90 },
    status: 201,
    location: '/tokens/:id',
  }),
  route('GET /tokens/:id', {
    summary: 'Read one of your tokens; administrators read any token',
    operation: operation(`
      query ReadToken($id: ID!) {
        token(id: $id) {
          ...Token
        }
      }
    `),
    pick: 'token',
    errors: ['admin_only'],
    variables: {
      id: 'path',
    },
  }),
  route('DELETE /tokens/:id', {
    summary: 'Revoke one of your tokens; administrators revoke any token',
    operation: operation(`
      mutation RevokeToken($id: ID!) {
        revokeToken(id: $id)
      }
    `),
    pick: 'revokeToken',
    errors: ['admin_only'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('GET /sessions', {
    summary: 'List the browser sessions that have not ended (administrators only)',
    operation: operation(`
      query ListSessions($userId: ID, $limit: Int, $cursor: String, $total: Boolean) {
        sessions(userId: $userId, limit: $limit, cursor: $cursor, total: $total) {
          items {
            ...Session
          }
          nextCursor
          total
        }
      }
    `),
    pick: 'sessions',
    errors: ['admin_only'],
    variables: { userId: 'query', limit: 'query', cursor: 'query', total: 'query' },
  }),
  route('GET /sessions/:id', {
    summary: 'Read a browser session (administrators only)',
    operation: operation(`
      query ReadSession($id: ID!) {
        session(id: $id) {
          ...Session
        }
      }
    `),
    pick: 'session',
    errors: ['admin_only'],
    variables: { id: 'path' },
  }),
  route('DELETE /sessions/:id', {
    summary: 'End a browser session (administrators only)',
    operation: operation(`
      mutation RevokeSession($id: ID!) {
        revokeSession(id: $id)
      }
    `),
    pick: 'revokeSession',
    errors: ['admin_only'],
    variables: { id: 'path' },
    status: 204,
  }),
  route('GET /storage', {
    summary: 'Read how much the files of documents need, by folder and by kind (administrators only)',
    operation: operation(`
      query ReadStorage {
        storage {
          measuredAt
          files
          bytes
          kinds {
            kind
            files
            bytes
          }
          folders {
            folder {
              id
              path
            }
            documents
            files
            bytes
          }
        }
      }
    `),
    pick: 'storage',
    errors: ['admin_only'],
    variables: {},
  }),
];
