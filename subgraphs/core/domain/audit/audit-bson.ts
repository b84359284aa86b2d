import { hash } from 'node:crypto';
import { type Field, fieldsOf, nameAmong, type Output, scalarIn, writeFields } from './canonical-bson.ts';
import type { HashedLink } from './verify-log.ts';

/**
 * What the verifier needs of an audit record, from the BSON it is stored as: its links, and the hash it must have, which is that of
 * auditHash. Null when the record holds something that only the long way by values can hash.
 */
export function linkInBson(stored: Uint8Array): HashedLink | null {
  const bson = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const links: Partial<Record<(typeof LINKS)[number], string | number | null>> = {};
  const hashed: Field[] = [];
  for (const field of fieldsOf(bson, 0) ?? []) {
    const link = nameAmong(LINKS, bson, field);
    if (link) links[link] = scalarIn(bson, field);
    if (link !== 'seq' && link !== 'prevHash' && link !== 'hash') hashed.push(field);
  }
  const { _id, chain, chainSeq, prevHash, hash: own } = links;
  if (typeof _id !== 'string' || typeof chain !== 'string' || typeof chainSeq !== 'number') return null;
  if (typeof prevHash !== 'string' || typeof own !== 'string' || prevHash.length !== 64) return null;
  output.length = output.bytes.write(prevHash, 'latin1');
  if (!writeFields(bson, hashed, output)) return null;
  return { _id, chain, chainSeq, prevHash, hash: own, mustBe: hash('sha256', output.bytes.subarray(0, output.length)) };
}

const LINKS = ['_id', 'chain', 'chainSeq', 'seq', 'prevHash', 'hash'] as const;
const output: Output = { bytes: Buffer.alloc(65_536), length: 0 };
