// Webhooks over https to receivers with certificates of a private authority.
import { once } from 'node:events';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, expect, test } from 'vitest';
import { trustedAuthorities } from '../../subgraphs/core/platform/trusted-authorities.ts';
import { postWebhook } from '../../subgraphs/documents/webhooks/post-webhook.ts';
import { authority } from '../support/certificates.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { type Receiver, receiver, signatureOf } from '../support/receiver.ts';

const own = authority();
const openssl = needs('openssl', own !== null);
const open: { close(): Promise<unknown> | undefined }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
afterAll(() => own?.remove());

async function listening(names: string): Promise<Receiver> {
  const hook = await receiver(own!.certify(names));
  open.push(hook);
  return hook;
}

const trust = own && trustedAuthorities(own.caFile, 'PDM_WEBHOOKS_CA_FILE');
const post = (url: string, options: Partial<Parameters<typeof postWebhook>[1]> = {}) =>
  postWebhook(
    { url, headers: { 'webhook-id': 'aud_1' }, body: '{"type":"x"}' },
    {
      networks: ['127.0.0.1'],
      trust,
      signal: new AbortController().signal,
      resolve: async () => ['127.0.0.1'],
      ...options,
    },
  );
// allows for a busy machine
const PATIENCE = { timeout: 20_000 };
const portOf = ({ url }: Receiver) => new URL(url).port;

test.skipIf(openssl.isMissing)(
  openssl.title('delivers to a receiver with a certificate for its host name, at the address of a single DNS lookup'),
  async () => {
    const hook = await listening('DNS:hooks.example');
    let lookups = 0;
    const resolve = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
    expect(await post(`https://hooks.example:${portOf(hook)}/hook`, { resolve })).toEqual({
      status: 204,
      error: null,
      responseBody: null,
    });
    expect([lookups, hook.got.map(({ id }) => id)]).toEqual([1, ['aud_1']]);
  },
);

test.skipIf(openssl.isMissing)(
  openssl.title('requests the certificate of the host name, not of the address'),
  async () => {
    const named: (string | false | null)[] = [];
    const server = createServer(own!.certify('DNS:hooks.example'), (socket: TLSSocket) => {
      named.push(socket.servername);
      socket.on('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
    const { port } = server.address() as { port: number };
    expect((await post(`https://hooks.example:${port}/`)).status).toBe(204);
    expect(named).toEqual(['hooks.example']);
  },
);

test.skipIf(openssl.isMissing)(
  openssl.title('sends nothing without a valid certificate and returns the reason'),
  async () => {
    const hook = await listening('DNS:other.example,IP:127.0.0.1');
    const host = `hooks.example:${portOf(hook)}`;
    expect(await post(`https://${host}/hook`)).toMatchObject({
      status: null,
      error: expect.stringMatching(
        new RegExp(`^the certificate of ${host} is not valid for hooks\\.example: .*other\\.example`),
      ),
    });
    expect((await post(`https://other.example:${portOf(hook)}/hook`, { trust: null })).error).toMatch(
      /is not signed by a trusted authority .*PDM_WEBHOOKS_CA_FILE/,
    );
    const plain = await receiver();
    open.push(plain);
    expect((await post(plain.url.replace('http:', 'https:'))).error).toContain('TLS handshake');
    expect([hook.got, plain.got]).toEqual([[], []]);
    // the certificate must include the IP address
    expect((await post(`https://127.0.0.1:${portOf(hook)}/hook`)).status).toBe(204);
  },
);

test.skipIf(openssl.isMissing)(openssl.title('ignores NODE_TLS_REJECT_UNAUTHORIZED'), async () => {
  const hook = await listening('DNS:other.example');
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    expect((await post(`https://hooks.example:${portOf(hook)}/hook`)).status).toBeNull();
    expect(hook.got).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  }
});

test('rejects a PDM_WEBHOOKS_CA_FILE that is missing or contains no certificate', () => {
  expect(() => trustedAuthorities('/nowhere', 'PDM_WEBHOOKS_CA_FILE')).toThrow(
    'PDM_WEBHOOKS_CA_FILE: cannot read /nowhere',
  );
  expect(() => trustedAuthorities(import.meta.filename, 'PDM_WEBHOOKS_CA_FILE')).toThrow('contains no PEM certificate');
});

test.skipIf(openssl.isMissing)(
  openssl.title(
    'delivers signed events over https to allowed networks, and lists attempts that failed because of the certificate',
  ),
  { timeout: 120_000 },
  async () => {
    const pdm: Pdm = await startPdm({
      settings: {
        PDM_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1,::1',
        PDM_WEBHOOKS_CA_FILE: own!.caFile,
        PDM_ROLES: 'store,api,sweeps',
      },
    });
    open.push(pdm);
    const [good, wrong] = [await listening('DNS:localhost,IP:127.0.0.1'), await listening('DNS:other.example')];
    const { id, secret } = (await pdm.admin.post('/webhooks', { url: good.url })).body;
    const other = (await pdm.admin.post('/webhooks', { url: wrong.url })).body;
    await pdm.editor.post('/folders', { name: 'Delivered' });
    await expect.poll(() => good.got.length, PATIENCE).toBe(1);
    expect([good.got[0]?.event.type, good.got[0]?.signature]).toEqual([
      'folder.created',
      signatureOf(secret, good.got[0]!),
    ]);
    await expect
      .poll(async () => (await pdm.admin.get(`/webhooks/${id}/deliveries`)).body.items[0].status, PATIENCE)
      .toBe('delivered');
    const delivery = async () => (await pdm.admin.get(`/webhooks/${other.id}/deliveries`)).body.items[0];
    await expect.poll(async () => (await delivery())?.attempts.length, PATIENCE).toBe(1);
    expect(await delivery()).toMatchObject({
      status: 'waiting',
      attempts: [{ status: null, error: expect.stringContaining('is not valid for 127.0.0.1') }],
    });
    expect(wrong.got).toEqual([]);
  },
);
