// Signed notes (c2sp.org/signed-note): a text, an empty line, and signature lines that name their key.

import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** A named public Ed25519 key. `id` is the four bytes by which signatures identify it. */
export type Verifier = { name: string; id: Buffer; key: KeyObject };

/** Signs a text, which must end with a newline, with a private Ed25519 key under a name. */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const { id } = createVerifier(name, createPublicKey(privateKey));
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n${DASH} ${name} ${signature.toString('base64')}\n`;
}

/**
 * Returns the text of a note that at least one of the verifiers signed. Returns null if none did, a signature of a
 * known key is wrong, or the text is not a note. Ignores signatures of unknown keys.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): string | null {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note.slice(end + 1).split('\n');
  if (!end || lines.pop() !== '' || !lines.length || lines.length > MAX_SIGNATURES || hasControlCharacters(note))
    return null;
  const text = note.slice(0, end);
  const signatures = lines.map((line) => SIGNATURE.exec(line)?.groups);
  const known = signatures.flatMap((signature) => {
    const bytes = Buffer.from(signature?.bytes ?? '', 'base64');
    const verifier = verifiers.find(
      ({ name, id }) => name === signature?.name && id.equals(bytes.subarray(0, ID_BYTES)),
    );
    return verifier ? [verify(null, Buffer.from(text), verifier.key, bytes.subarray(ID_BYTES))] : [];
  });
  const isValid = signatures.every(Boolean) && known.length > 0 && known.every(Boolean);
  return isValid ? text : null;
}

/** Creates the verifier of a public Ed25519 key under a name. Throws RangeError if the name has spaces or a plus. */
export function createVerifier(name: string, publicKey: KeyObject): Verifier {
  if (!NAME.test(name))
    throw new RangeError(`"${name}" is not a valid key name: it must not contain spaces or a plus.`);
  const digest = createHash('sha256').update(`${name}\n`).update(encodeKey(publicKey)).digest();
  return { name, id: digest.subarray(0, ID_BYTES), key: publicKey };
}

/** Formats a verifier as one line: `<name>+<id>+<key>`. */
export function formatVerifier({ name, id, key }: Verifier): string {
  return `${name}+${id.toString('hex')}+${encodeKey(key).toString('base64')}`;
}

/** Parses a line of `formatVerifier`. Returns null if it is not valid. */
export function parseVerifier(line: string): Verifier | null {
  const {
    name = '',
    id,
    bytes,
  } = /^(?<name>[^+\s]+)\+(?<id>[0-9a-f]{8})\+(?<bytes>[0-9A-Za-z+/]{44})$/.exec(line)?.groups ?? {};
  const [type, ...raw] = Buffer.from(bytes ?? '', 'base64');
  if (type !== ED25519 || raw.length !== KEY_BYTES) return null;
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  });
  const verifier = createVerifier(name, key);
  return verifier.id.toString('hex') === id ? verifier : null;
}

const DASH = '\u2014';
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const MAX_SIGNATURES = 16;
const NAME = /^[^+\s]+$/;
const SIGNATURE = /^\u2014 (?<name>[^+\s]+) (?<bytes>[0-9A-Za-z+/]+={0,2})$/;

function encodeKey(publicKey: KeyObject): Buffer {
  return Buffer.concat([Buffer.of(ED25519), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')]);
}

function hasControlCharacters(note: string): boolean {
  for (let i = 0; i < note.length; i++) if (note.charCodeAt(i) < 32 && note[i] !== '\n') return true;
  return false;
}
