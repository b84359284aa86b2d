import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Key = { kid: string; alg: string; privateKey: CryptoKey };

export type Issuer = {
  /** http://127.0.0.1:<port> */
  url: string;
  audience: string;
  /** The number of reads of its key set. */
  reads(): number;
  /** Creates and publishes a key. */
  createKey(alg: string, kid?: string): Promise<Key>;
  /** Issues a token; by default RS256, for the audience, valid for an hour, with the subject "berta". */
  token(claims?: JWTPayload, options?: { key?: Key; lasts?: number; at?: number }): Promise<string>;
  /** Stops the server; `up` starts it again on the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** Starts an identity provider on loopback. */
export async function startIssuer(audience = 'pdm'): Promise<Issuer> {
  const published: object[] = [];
  let reads = 0;
  const server = createServer((request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) reads += 1;
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(isKeys ? { keys: published } : { issuer: url, jwks_uri: `${url}/keys` }));
  });
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const createKey = async (alg: string, kid = `${alg}-${published.length}`): Promise<Key> => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
    return { kid, alg, privateKey };
  };
  const usual = await createKey('RS256');
  return {
    url,
    audience,
    reads: () => reads,
    createKey,
    token: (claims = {}, { key = usual, lasts = 3600, at = Date.now() } = {}) =>
      new SignJWT({
        iss: url,
        aud: audience,
        sub: 'berta',
        iat: Math.floor(at / 1000),
        exp: Math.floor(at / 1000) + lasts,
        ...claims,
      })
        .setProtectedHeader({ alg: key.alg, kid: key.kid })
        .sign(key.privateKey),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
    start: () => listen(port),
  };
}
