// Sends one webhook request safely: pinned address, strict TLS, limited response.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isPublicAddress } from '../../core/domain/access/network-address.ts';
import { hostOf } from '../../core/domain/access/webhook.ts';
import { pinnedAddress, type Resolve } from '../../core/platform/pinned-address.ts';

/** The status of the response, or the error if there was no response, and the start of the response body. */
export type PostResult = { status: number | null; error: string | null; responseBody: string | null };

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
 * Posts a message within `timeoutMs` (default 15 s). The host is resolved once, and the connection goes to that
 * address. Addresses that are neither public nor allowed fail, and so does `http:` to public ones. With `https:`, nothing
 * is sent unless the certificate is valid for the host and signed by a trusted authority. Redirects are not followed,
 * and only the first 1 KiB of the response body is read. Failures are returned as `error`; the promise is rejected only
 * if the signal aborts.
 */
export async function postWebhook(
  message: Message,
  { networks, trust, signal, resolve, timeoutMs = TIMEOUT_MS }: Options,
): Promise<PostResult> {
  const url = new URL(message.url);
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  try {
    const found = await rejectOnAbort(pinnedAddress(hostOf(url), networks, resolve), ended);
    if ('reason' in found)
      return failed(found.isInternal ? `${found.reason} (PDM_WEBHOOKS_ALLOWED_NETWORKS)` : found.reason);
    if (url.protocol === 'http:' && isPublicAddress(found.address))
      return failed(`${url.host} is a public address, which requires https://`);
    return await send(url, found.address, message, { trust, signal: ended });
  } catch (error) {
    signal.throwIfAborted();
    return failed(timeout.aborted ? `no response within ${timeoutMs / 1000} s` : describeError(error, url));
  }
}

// A DNS lookup cannot be aborted, so only the wait for its result is.
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  if (signal.aborted) reject(signal.reason);
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
    host: address, // not the name, which would be resolved again
    port: url.port || undefined,
    path: `${url.pathname}${url.search}`,
    // The certificate must be valid for the name, whatever NODE_TLS_REJECT_UNAUTHORIZED is.
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
      const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString();
      resolve({ status: response.statusCode ?? null, error: null, responseBody: text || null });
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

// OpenSSL error codes for certificates of unknown authorities
const UNKNOWN_AUTHORITY =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

function describeError(error: unknown, { host, hostname }: URL): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (UNKNOWN_AUTHORITY.test(code))
    return `the certificate of ${host} is not signed by a trusted authority (${code}); PDM_WEBHOOKS_CA_FILE adds authorities`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate of ${host} is not valid for ${hostname}: ${error.message}`;
  if (code.startsWith('CERT_')) return `the certificate of ${host} is not valid (${code})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return `the TLS handshake with ${host} failed (${code})`;
  return error.message || code;
}

function failed(error: string): PostResult {
  return { status: null, error, responseBody: null };
}
