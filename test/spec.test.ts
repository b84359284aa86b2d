// Compares the specification and the service in both directions: endpoints with routes, error codes with their
// documentation.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { statusOf } from '../http/response/status.ts';
import { ROUTES, SERVICE_ROUTES } from '../rest-adapter/routes.ts';
import { CATALOGUE, type ErrorCode } from '../subgraphs/core/domain/errors.ts';

/** The endpoints of the specification below /api/v1, in its order. */
const SPECIFIED = `
GET /health
GET /documents
POST /documents
GET /documents/:id
PATCH /documents/:id
DELETE /documents/:id
POST /documents/:id/archive
POST /documents/:id/unarchive
POST /documents/:id/copy
POST /documents/move
GET /documents/:id/where-used
GET /documents/:id/thumbnail
GET /documents/:id/audit
GET /folders
POST /folders
PATCH /folders/:id
DELETE /folders/:id
GET /documents/:id/workspaces
POST /documents/:id/workspaces
GET /workspaces/:id
PATCH /workspaces/:id
POST /workspaces/:id/archive
POST /workspaces/:id/unarchive
DELETE /workspaces/:id
POST /workspaces/:id/versions
POST /workspaces/:id/take-over
POST /workspaces/:id/restore
POST /workspaces/:id/checkout
POST /workspaces/:id/checkin
POST /workspaces/:id/checkout/heartbeat
GET /versions/:id
PATCH /versions/:id
POST /versions/:id/release
GET /documents/:id/revisions
GET /revisions/:id
PATCH /revisions/:id
POST /revisions/:id/obsolete
DELETE /revisions/:id
GET /documents/:id/version-graph
GET /versions/:id/audit
GET /revisions/:id/audit
GET /versions/:id/artifacts
POST /versions/:id/artifacts
GET /versions/:id/artifacts/:kind/file
DELETE /versions/:id/artifacts/:kind
GET /artifacts/:id
GET /artifacts/:id/file
POST /versions/:id/exports
GET /versions/:id/references
GET /versions/:id/bom
GET /versions/:id/reference-updates
POST /versions/:id/reference-updates
GET /versions/:id/asm-json/resolved
PUT /versions/:id/code
POST /versions/:id/code/sync
POST /versions/:id/runs
GET /versions/:id/runs
GET /runs/:id
GET /jobs
GET /jobs/:id
GET /versions/:id/jobs
POST /jobs/:id/retry
POST /jobs/claim
GET /jobs/:id/context
POST /jobs/:id/heartbeat
POST /jobs/:id/complete
POST /jobs/:id/fail
`;

/** Routes beyond the specification: a client that knows only the specification does not need them. */
const ADDED = `
GET /audit
GET /audit/verify
GET /backup-status
GET /folders/:id
GET /me
GET /me/reservations
GET /users
POST /users
GET /users/:id
PATCH /users/:id
GET /tokens
POST /setup
POST /tokens
GET /tokens/:id
DELETE /tokens/:id
GET /sessions
GET /sessions/:id
DELETE /sessions/:id
GET /storage
GET /openapi.json
GET /docs
GET /schemas/asm.json
GET /content/:sha256
GET /content/assemblies/:versionId
GET /documents/:id/versions
GET /versions/:id/compare
GET /versions/:id/bom/compare
GET /versions/:id/measure
GET /source-files
GET /resolve
POST /documents/:id/replace-in-drafts
GET /versions/:id/release-impact
GET /workspaces/:id/permissions
GET /versions/:id/permissions
GET /revisions/:id/permissions
GET /versions/:id/views
POST /versions/:id/views
GET /views/:id
PATCH /views/:id
DELETE /views/:id
GET /documents/:id/permissions
POST /jobs/:id/cancel
POST /jobs/:id/give-back
GET /jobs/:id/log/stream
POST /workspaces/:id/undo
POST /workspaces/:id/request-checkin
GET /runs/:id/provenance
POST /jobs/:id/result
GET /events
GET /events/stream
GET /webhooks
POST /webhooks
GET /webhooks/:id
PATCH /webhooks/:id
DELETE /webhooks/:id
POST /webhooks/:id/secret
POST /webhooks/:id/ping
GET /webhooks/:id/deliveries
POST /webhooks/:id/deliveries/:eventId/redeliver
`;

const linesOf = (text: string): string[] => text.trim().split('\n').sort();
const routed = [...ROUTES.flatMap(({ routes }) => routes), ...SERVICE_ROUTES]
  .map(({ method, path }) => `${method} ${path}`)
  .sort();

describe('endpoints', () => {
  test('routes every endpoint of the specification', () => {
    expect(linesOf(SPECIFIED)).toEqual(routed.filter((route) => !linesOf(ADDED).includes(route)));
  });

  test('lists every route once, in the specification or among the additional routes', () => {
    expect(routed.filter((route) => !linesOf(SPECIFIED).includes(route))).toEqual(linesOf(ADDED));
    expect(new Set(routed).size).toBe(routed.length);
  });
});

describe('errors', () => {
  const text = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, code, status, meaning, remedy]) => ({
      code,
      status: Number(status),
      meaning,
      remedy,
    }),
  );

  test('documents every code of the catalogue and no other code', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(Object.keys(CATALOGUE).sort());
  });

  test('documents each code with its status, meaning and remedy', () => {
    expect(rows.map(({ code, status }) => [code, status])).toEqual(
      rows.map(({ code }) => [code, statusOf(code as ErrorCode)]),
    );
    expect(rows.filter(({ meaning, remedy }) => !meaning?.trim() || !remedy?.trim())).toEqual([]);
  });
});
