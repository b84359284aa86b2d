// A well-behaved client next to clients that try to starve it: of slots, of connections, or of sign-ins.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { generateToken } from '../../subgraphs/core/domain/access/token.ts';
import { type Attack, createAttack, requestHead } from '../support/attack.ts';
import { type Client, client } from '../support/client.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { startProcess } from '../support/service-process.ts';

const ATTACKERS = 270;
const REQUESTS = 100;
const MAX_MS = 5_000;
vi.setConfig({ testTimeout: 120_000 });

const DEFAULTS = { PDM_MAX_QUEUE_MS: '500', PDM_MAX_CONCURRENT_REQUESTS: '256' };

let pdm: Pdm;
let issuer: Issuer;
let draft: string;
beforeAll(async () => {
  issuer = await startIssuer();
  pdm = await startPdm({
    settings: { ...DEFAULTS, OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'pdm', OIDC_AUTOCREATE: 'on' },
  });
  draft = (await pdm.admin.post('/documents', { name: 'A', kind: 'model' })).body.drafts[0].id;
  await pdm.admin.upload(draft, 'attachment.large', 'x'.repeat(8 * 1024 * 1024));
});
afterAll(async () => {
  await pdm?.close();
  await issuer?.stop();
});

let attack: Attack;
beforeEach(() => {
  attack = createAttack(pdm.url);
});
afterEach(() => attack.stop());

/** Sends reads and writes one after the other. At least 99 % must succeed. */
async function expectService(honest: Client): Promise<void> {
  const outcomes = [];
  for (let n = 0; n < REQUESTS; n++) {
    const start = performance.now();
    const { status } = await (n % 4
      ? honest.get('/documents')
      : honest.post('/documents', { name: `Part ${n}`, kind: 'model' }));
    outcomes.push({ isGood: status < 300, ms: performance.now() - start });
  }
  expect(outcomes.filter(({ isGood }) => isGood).length).toBeGreaterThanOrEqual(0.99 * REQUESTS);
  const slowest = outcomes.map(({ ms }) => ms).sort((a, b) => a - b);
  expect(slowest[Math.floor(0.95 * REQUESTS)]).toBeLessThan(MAX_MS);
}

test('serves a client next to anonymous requests whose bodies never arrive', async () => {
  attack.open(ATTACKERS, requestHead('POST', '/api/v1/documents', { 'Content-Length': '1000' }));
  await expectService(pdm.admin);
});

test('serves a client next to bodies that another token sends byte by byte', async () => {
  const headers = {
    Authorization: `Bearer ${pdm.tokens.viewer}`,
    'Content-Type': 'application/json',
    'Content-Length': '1000000',
  };
  attack.open(ATTACKERS, requestHead('POST', '/api/v1/documents', headers), { piece: ' ' });
  await expectService(pdm.editor);
});

test('serves a client next to downloads that another token does not read', async () => {
  const path = `/api/v1/versions/${draft}/artifacts/attachment.large/file`;
  attack.open(ATTACKERS, requestHead('GET', path, { Authorization: `Bearer ${pdm.tokens.viewer}` }), { isDeaf: true });
  await expectService(pdm.editor);
});

test('serves a client next to one that sends as many requests as it can', async () => {
  let isBusy = true;
  const busy = Array.from({ length: 30 }, async () => {
    while (isBusy) await pdm.viewer.get('/documents');
  });
  try {
    await expectService(pdm.editor);
  } finally {
    isBusy = false;
    await Promise.all(busy);
  }
});

/** Sends wrong tokens from 50 connections until `during` ends. */
async function withWrongTokens(url: string, during: () => Promise<void>): Promise<void> {
  let isGuessing = true;
  const guess = () => client(`${url}/api/v1`, generateToken()).get('/me');
  for (let n = 0; n < 11; n++) expect((await guess()).status).toBe(401);
  const guesses = Array.from({ length: 50 }, async () => {
    while (isGuessing) expect((await guess()).status).toBe(401);
  });
  try {
    await during();
  } finally {
    isGuessing = false;
    await Promise.all(guesses);
  }
}

const signIn = (token: string) =>
  fetch(`${pdm.url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-pdm-csrf': '1', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });

test('accepts new tokens, sign-ins and tokens of the identity provider next to wrong tokens of one address', async () => {
  const newToken = async () => (await pdm.admin.post('/tokens', { name: 'new', role: 'editor' })).body.token;
  await withWrongTokens(pdm.url, async () => {
    for (let n = 0; n < 10; n++) {
      const token = await newToken();
      expect((await client(`${pdm.url}/api/v1`, token).get('/me')).status).toBe(200);
      expect((await signIn(await newToken())).status).toBe(200);
      const jwt = await issuer.token({ jti: String(n) });
      expect((await client(`${pdm.url}/api/v1`, jwt).get('/me')).status).toBe(200);
    }
    await expectService(pdm.editor);
  });
});

test.runIf(!process.env.MONGODB_URL)(
  'accepts tokens and claims next to wrong tokens right after a restart',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pdm-starvation-'));
    const token = generateToken();
    const settings = { ...DEFAULTS, PDM_ROLES: 'store,api,sweeps', PDM_BOOTSTRAP_TOKEN: token };
    await (await startProcess(folder, settings)).end('SIGTERM');
    const service = await startProcess(folder, settings);
    await withWrongTokens(service.url, async () => {
      expect((await client(`${service.url}/api/v1`, token).get('/me')).status).toBe(200);
    });
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  },
);
