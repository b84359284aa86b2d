// Identifies equal runs of generators.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../audit/canonical-json.ts';

/** The code that a run executes. */
export type RunCode = { repoUrl: string; path: string; commit: string };

/** Returns the SHA-256 (hex) of parameters in canonical form (RFC 8785). */
export function paramsHash(params: object): string {
  return sha256(canonicalJson(params));
}

/**
 * Returns the key of a run: equal for runs of the same generator, folder, commit and parameters, whatever their ref.
 */
export function runKey({ documentId, code, params }: { documentId: string; code: RunCode; params: object }): string {
  const { repoUrl, path, commit } = code;
  return sha256(canonicalJson({ documentId, repoUrl, path, commit, params }));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
