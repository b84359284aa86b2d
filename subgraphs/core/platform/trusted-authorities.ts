import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Trust in the authorities that Node trusts (NODE_EXTRA_CA_CERTS among them) and in those of a PEM file; null without a file: as usual. Throws when
 * the file cannot be read or holds no certificate, so that a service that could reach nobody does not start.
 */
export function trustedAuthorities(file: string | null, setting: string): SecureContext | null {
  if (file === null) return null;
  const own = certificatesIn(file, setting);
  return createSecureContext({ ca: [...getCACertificates('default'), ...own] });
}

function certificatesIn(file: string, setting: string): string[] {
  try {
    const own = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    for (const pem of own) new X509Certificate(pem);
    if (own.length) return own;
  } catch (error) {
    throw new Error(`${setting}: ${file} cannot be read (${error instanceof Error ? error.message : error}).`, {
      cause: error,
    });
  }
  throw new Error(`${setting}: ${file} holds no certificate (PEM).`);
}
