import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isPublicAddress } from '../../core/domain/access/network-address.ts';
import { hostOf } from '../../core/domain/access/webhook.ts';
import { pinnedAddress, type Resolve } from '../../core/platform/pinned-address.ts';

/** What became of a message: the status it was answered with, or why there was none, and the beginning of the answer. */
export type PostResult = { status: number | null; error: string | null; answer: string | null };

const MAX_RESPONSE_BYTES = 1_024;
const TIMEOUT_MS = 15_000;

type Message = { url: string; headers: Record<string, string>; body: string };
type Options = {
  networks: readonly string[];
  trust?: SecureContext | null;
  signal: AbortSignal;
  resolve?: Resolve;
  timeoutMs?: number;
};

/**
 * Posts a message. The name of the host is looked up once and the connection made to that address, whatever a second answer would say; one that
 * is neither public nor allowed is refused, and so is plain http to one that is public. With https the receiver has to show a certificate for
 * the name, by an authority that is trusted, before anything is sent. Redirects are not followed; of the answer only the first 1 KiB is read,
 * all of it within 15 seconds. Rejects only when the signal aborts.
 */
export async function postWebhook(
  { url: given, headers, body }: Message,
  { networks, trust, signal, resolve, timeoutMs: patienceMs = TIMEOUT_MS }: Options,
): Promise<PostResult> {
  const url = new URL(given);
  const patience = AbortSignal.timeout(patienceMs);
  const over = AbortSignal.any([signal, patience]);
  try {
    const found = await rejectOnAbort(pinnedAddress(hostOf(url), networks, resolve), over);
    if ('refused' in found)
      return failed(
        found.refused.endsWith('public address') ? `${found.refused} (PDM_WEBHOOKS_ALLOWED_NETWORKS)` : found.refused,
      );
    // what is not public is here because it is allowed
    if (url.protocol === 'http:' && isPublicAddress(found.address))
      return failed(`${url.host} is on the public internet; only https:// leads there`);
    return await send(url, found.address, { headers, body }, { trust, signal: over });
  } catch (error) {
    signal.throwIfAborted();
    return failed(patience.aborted ? `no answer within ${patienceMs / 1000} s` : describeError(error, url));
  }
}

// a name server that is silent keeps nobody waiting
function rejectOnAbort<T>(work: Promise<T>, over: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  over.addEventListener('abort', () => reject(over.reason), { once: true });
  if (over.aborted) reject(over.reason);
  work.then(resolve, reject);
  return promise;
}

type ConnectionOptions = Pick<Options, 'trust' | 'signal'>;

function send(
  url: URL,
  address: string,
  { headers, body }: Omit<Message, 'url'>,
  { trust, signal }: ConnectionOptions,
): Promise<PostResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResult>();
  const name = hostOf(url);
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    method: 'POST',
    // the address, never the name: nothing is looked up again
    host: address,
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    // the name, never the address: for it the certificate has to be good, whatever the environment says of certificates
    ...(isIP(name) ? {} : { servername: name }),
    ...(url.protocol === 'https:' ? { rejectUnauthorized: true, ...(trust ? { secureContext: trust } : {}) } : {}),
    headers: {
      ...headers,
      host: url.host,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'pdm-webhooks/1',
      connection: 'close',
    },
    agent: false,
    signal,
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      const answer = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString();
      resolve({ status: response.statusCode ?? null, error: null, answer: answer || null });
      response.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_RESPONSE_BYTES) done();
    });
    response.on('end', done);
    response.on('error', reject);
  });
  request.end(body);
  return promise;
}

// what OpenSSL calls an authority that it does not know
const UNKNOWN_AUTHORITY =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

function describeError(error: unknown, { host, hostname }: URL): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (UNKNOWN_AUTHORITY.test(code))
    return `the certificate of ${host} is by nobody that is trusted (${code}); PDM_WEBHOOKS_CA_FILE names authorities of one's own`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${host} is not for ${hostname}: ${error.message}`;
  if (code.startsWith('CERT_')) return `the certificate of ${host} is not good (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `${host} does not speak TLS as it has to (${code})`;
  return error.message || code;
}

function failed(error: string): PostResult {
  return { status: null, error, answer: null };
}
