import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Authority = {
  /** The path of its certificate (PEM). */
  caFile: string;
  /** Issues a key and a certificate for these names in OpenSSL syntax: `DNS:localhost,IP:127.0.0.1`. */
  certify(names: string): { key: string; cert: string };
  remove(): void;
};

/** Creates a private certificate authority; null where OpenSSL is missing. */
export function authority(): Authority | null {
  const folder = mkdtempSync(join(tmpdir(), 'pdm-authority-'));
  const at = (name: string) => join(folder, name);
  const openssl = (args: string) => execFileSync('openssl', args.split(' '), { cwd: folder, stdio: 'ignore' });
  const KEY = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    openssl(`req -x509 ${KEY} -days 2 -keyout ca.key -out ca.pem -subj /CN=tests`);
  } catch (error) {
    remove();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return {
    caFile: at('ca.pem'),
    certify(names) {
      openssl(`req ${KEY} -keyout key.pem -out request.pem -subj /CN=receiver`);
      writeFileSync(at('names'), `subjectAltName=${names}\n`);
      openssl(
        'x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out cert.pem',
      );
      return { key: readFileSync(at('key.pem'), 'utf8'), cert: readFileSync(at('cert.pem'), 'utf8') };
    },
    remove,
  };
}
