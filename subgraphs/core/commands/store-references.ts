import { addressKey } from '../domain/assembly/address.ts';
import { ASM_JSON, lockStructures, referencesOf, replaceLines, structureLines } from '../store/assembly/references.ts';
import type { ArtifactRecord } from '../store/schema/collections.ts';
import type { Work } from '../work.ts';
import { assertNoCycle } from './assert-no-cycle.ts';

/**
 * Stores the references of the asm.json among the files of a draft that the caller has locked; none without an
 * asm.json. Throws `reference_cycle` if the document would contain itself. Commands that add addresses or delete
 * documents run one at a time, so that two concurrent uploads cannot form a cycle and no document is deleted while a
 * reference to it is added.
 */
export async function storeReferences(
  work: Work,
  draft: { documentId: string; versionId: string },
  files: readonly Pick<ArtifactRecord, 'kind' | 'sha256'>[],
): Promise<void> {
  const asmJson = files.find(({ kind }) => kind === ASM_JSON);
  const lines = asmJson ? await structureLines(work, asmJson.sha256) : [];
  const before = await referencesOf(work, draft.versionId);
  if (!lines.length && !before.length) return;
  const known = new Set(before.map(addressKey));
  if (lines.some((line) => !known.has(addressKey(line)))) {
    await lockStructures(work);
    await assertNoCycle(work, draft.documentId, lines);
  }
  await replaceLines(work, draft, lines);
}
