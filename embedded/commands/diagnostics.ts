// Diagnostic commands that shells and drivers use to identify the server.
import type { Call } from '../process/store.ts';
import { storeError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { int } from '../protocol/reply.ts';
import { type Doc, isTruthy } from '../values/bson.ts';
import type { Commands } from './command.ts';

const VERSION = '8.0.0';

export const diagnosticCommands: Commands = {
  buildInfo: { kind: 'plain', run: buildInfo },
  buildinfo: { kind: 'plain', run: buildInfo },
  connectionStatus: {
    kind: 'plain',
    run: ({ body }) => ({
      authInfo: {
        authenticatedUsers: [],
        authenticatedUserRoles: [],
        ...(isTruthy(body.showPrivileges) && { authenticatedUserPrivileges: [] }),
      },
    }),
  },
  getParameter: { kind: 'plain', run: getParameter },
  getLog: { kind: 'plain', run: () => ({ totalLinesWritten: int(0), log: [] }) },
};

function buildInfo(): Doc {
  return {
    version: VERSION,
    gitVersion: 'embedded',
    modules: ['embedded'],
    versionArray: [...VERSION.split('.').map(Number), 0].map(int),
    maxBsonObjectSize: int(LIMITS.documentBytes),
    storageEngines: ['lmdb'],
    debug: false,
    bits: int(64),
  };
}

const PARAMETERS: Doc = {
  featureCompatibilityVersion: { version: '8.0' },
  transactionLifetimeLimitSeconds: 60,
  authenticationMechanisms: [],
};

function getParameter({ body }: Call): Doc {
  if (body.getParameter === '*') return PARAMETERS;
  const known = Object.entries(PARAMETERS).filter(([name]) => name in body);
  if (known.length === 0) throw storeError(72, 'no option found to get');
  return Object.fromEntries(known);
}
