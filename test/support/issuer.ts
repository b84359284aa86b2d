import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Key = { kid: string; alg: string; privateKey: CryptoKey };

export type Issuer = {
  /** http://127.0.0.1:<port> */
  url: string;
  audience: string;
  /** How often its keys were read. */
  reads(): number;
  /** A key that the issuer publishes from now on. */
  newKey(alg: string, kid?: string): Promise<Key>;
  /** A token as the issuer makes it: RS256, for the audience, an hour long, by Berta, unless something else is said. */
  token(claims?: JWTPayload, options?: { key?: Key; lasts?: number; at?: number }): Promise<string>;
  /** Goes out of reach, and comes back at the same address. */
  down(): Promise<void>;
  up(): Promise<void>;
};

/** An identity provider on loopback. */
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

  const newKey = async (alg: string, kid = `${alg}-${published.length}`): Promise<Key> => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
    return { kid, alg, privateKey };
  };
  const usual = await newKey('RS256');
  return {
    url,
    audience,
    reads: () => reads,
    newKey,
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
    down: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
    up: () => listen(port),
  };
}
