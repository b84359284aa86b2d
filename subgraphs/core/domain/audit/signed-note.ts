// Signed notes as C2SP defines them (c2sp.org/signed-note): a text, an empty line, and signature lines that name their key.
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** A public Ed25519 key under a name; `id` are the four bytes by which a signature names both. */
export type Verifier = { name: string; id: Buffer; key: KeyObject };

/** The text, which ends with a newline, signed under a name with a private Ed25519 key. */
export function signNote(text: string, name: string, privateKey: KeyObject): string {
  const { id } = verifierOf(name, createPublicKey(privateKey));
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return `${text}\n${DASH} ${name} ${signature.toString('base64')}\n`;
}

/**
 * The text of a note that one of the verifiers signed; null when none did, when a known key's signature does not fit the text, or when
 * it is no note at all. Signatures of unknown keys do not count, for or against.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): string | null {
  const end = note.lastIndexOf('\n\n') + 1;
  const lines = note.slice(end + 1).split('\n');
  if (!end || lines.pop() !== '' || !lines.length || lines.length > MOST_SIGNATURES || hasControls(note)) return null;
  const text = note.slice(0, end);
  const signatures = lines.map((line) => SIGNATURE.exec(line)?.groups);
  const known = signatures.flatMap((given) => {
    const bytes = Buffer.from(given?.bytes ?? '', 'base64');
    const by = verifiers.find(({ name, id }) => name === given?.name && id.equals(bytes.subarray(0, ID_BYTES)));
    return by ? [verify(null, Buffer.from(text), by.key, bytes.subarray(ID_BYTES))] : [];
  });
  return signatures.every((given) => given) && known.length && known.every((good) => good) ? text : null;
}

/** The verifier of a public Ed25519 key under a name. The name has no spaces and no plus. */
export function verifierOf(name: string, publicKey: KeyObject): Verifier {
  if (!NAME.test(name)) throw new RangeError(`"${name}" cannot name a key: it must have no spaces and no plus.`);
  const digest = createHash('sha256').update(`${name}\n`).update(encoded(publicKey)).digest();
  return { name, id: digest.subarray(0, ID_BYTES), key: publicKey };
}

/** The verifier as one line for people: `<name>+<id>+<key>`. */
export function writeVerifier({ name, id, key }: Verifier): string {
  return `${name}+${id.toString('hex')}+${encoded(key).toString('base64')}`;
}

/** The verifier that such a line describes; null when it is none. */
export function readVerifier(line: string): Verifier | null {
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
  const verifier = verifierOf(name, key);
  return verifier.id.toString('hex') === id ? verifier : null;
}

const DASH = '\u2014';
const ED25519 = 1;
const KEY_BYTES = 32;
const ID_BYTES = 4;
const MOST_SIGNATURES = 16;
const NAME = /^[^+\s]+$/;
const SIGNATURE = /^\u2014 (?<name>[^+\s]+) (?<bytes>[0-9A-Za-z+/]+={0,2})$/;

function encoded(publicKey: KeyObject): Buffer {
  return Buffer.concat([Buffer.of(ED25519), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')]);
}

function hasControls(note: string): boolean {
  for (let i = 0; i < note.length; i++) if (note.charCodeAt(i) < 32 && note[i] !== '\n') return true;
  return false;
}
