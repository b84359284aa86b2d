import { createHash } from 'node:crypto';
import { canonicalJson } from '../audit/canonical-json.ts';

/** The code that a run executes. */
export type RunCode = { repoUrl: string; path: string; commit: string };

/** SHA-256 (hex) of parameters in their canonical form (RFC 8785): equal however they were written. */
export function paramsHash(params: object): string {
  return sha256(canonicalJson(params));
}

/**
 * What two runs have in common when one answers for the other: the generator, the folder at its commit, and the parameters. The ref does not count.
 */
export function runKey({ documentId, code, params }: { documentId: string; code: RunCode; params: object }): string {
  const { repoUrl, path, commit } = code;
  return sha256(canonicalJson({ documentId, repoUrl, path, commit, params }));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
