// Computes the hash of an audit record from its stored BSON.

import { hash } from 'node:crypto';
import { type BsonField, fieldsOf, matchName, type Output, readScalar, writeFields } from './canonical-bson.ts';
import type { HashedLink } from './verify-log.ts';

/**
 * Returns the link of an audit record with its expected hash (see `auditHash`), read from its BSON. Returns null if the
 * record has content that only `auditHash` supports.
 */
export function hashedLinkFromBson(stored: Uint8Array): HashedLink | null {
  const bson = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const links: Partial<Record<(typeof LINKS)[number], string | number | null>> = {};
  const hashed: BsonField[] = [];
  for (const field of fieldsOf(bson, 0) ?? []) {
    const link = matchName(LINKS, bson, field);
    if (link) links[link] = readScalar(bson, field);
    if (link !== 'seq' && link !== 'prevHash' && link !== 'hash') hashed.push(field);
  }
  const { _id, chain, chainSeq, prevHash, hash: ownHash } = links;
  if (typeof _id !== 'string' || typeof chain !== 'string' || typeof chainSeq !== 'number') return null;
  if (typeof prevHash !== 'string' || typeof ownHash !== 'string' || prevHash.length !== 64) return null;
  output.length = output.bytes.write(prevHash, 'latin1');
  if (!writeFields(bson, hashed, output)) return null;
  return {
    _id,
    chain,
    chainSeq,
    prevHash,
    hash: ownHash,
    expectedHash: hash('sha256', output.bytes.subarray(0, output.length)),
  };
}

const LINKS = ['_id', 'chain', 'chainSeq', 'seq', 'prevHash', 'hash'] as const;
const output: Output = { bytes: Buffer.alloc(65_536), length: 0 };
