import { addressKey } from '../domain/assembly/address.ts';
import { ASM_JSON, lockStructures, referencesOf, replaceLines, structureOf } from '../store/assembly/references.ts';
import type { ArtifactRecord } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';
import { refuseCycle } from './reference-cycle.ts';

/**
 * Lets a draft, which the caller has locked, use what the asm.json among its files says; without one, nothing. Refuses with `reference_cycle`
 * what would make its document contain itself. Whoever adds an address waits for whoever else does so, and for deletions, so that neither two
 * uploads together make a cycle nor a document is deleted while somebody begins to use it.
 */
export async function useReferences(
  work: Work,
  draft: { documentId: string; versionId: string },
  files: readonly Pick<ArtifactRecord, 'kind' | 'sha256'>[],
): Promise<void> {
  const asmJson = files.find(({ kind }) => kind === ASM_JSON);
  const lines = asmJson ? await structureOf(work, asmJson.sha256) : [];
  const before = await referencesOf(work, draft.versionId);
  if (!lines.length && !before.length) return;
  const known = new Set(before.map(addressKey));
  if (lines.some((line) => !known.has(addressKey(line)))) {
    await lockStructures(work);
    await refuseCycle(work, draft.documentId, lines);
  }
  await replaceLines(work, draft, lines);
}
