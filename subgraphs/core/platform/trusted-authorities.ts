import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * Returns a TLS context that trusts Node's default authorities (including NODE_EXTRA_CA_CERTS) and those of a PEM file;
 * null without a file. Throws if the file cannot be read or has no certificate, so that the service does not start with
 * it.
 */
export function trustedAuthorities(file: string | null, setting: string): SecureContext | null {
  if (file === null) return null;
  const certificates = certificatesIn(file, setting);
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] });
}

function certificatesIn(file: string, setting: string): string[] {
  try {
    const certificates = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    for (const pem of certificates) new X509Certificate(pem);
    if (certificates.length) return certificates;
  } catch (error) {
    throw new Error(`${setting}: cannot read ${file} (${error instanceof Error ? error.message : error}).`, {
      cause: error,
    });
  }
  throw new Error(`${setting}: ${file} contains no PEM certificate.`);
}
