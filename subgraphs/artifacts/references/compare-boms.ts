import { type BomChange, compareBoms } from '../../core/domain/assembly/bom-compare.ts';
import type { Context } from '../../core/graphql.ts';
import { readStructure, topKey } from '../../core/store/assembly/bom-structure.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { type BomOf, bomOf, bomTop } from './read-bom.ts';
import { assemblyOf } from './read-references.ts';

export type BomComparison = { from: BomOf; to: BomOf; changes: BomChange[] };

/**
 * What differs from the bill of material of one draft or version to that of another, of one document or of two; a revision stands for its version.
 * Versions as they were frozen, drafts as they resolve now. Refuses what is no assembly with `wrong_kind`.
 */
export async function compareBomsOf(
  { scope }: Pick<Context, 'scope'>,
  input: { id: string; with: string },
): Promise<BomComparison> {
  const from = await side(scope, input.id);
  const to = await side(scope, input.with);
  const structure = await readStructure(scope, from.of.versionId === to.of.versionId ? [from.top] : [from.top, to.top]);
  return { from: from.of, to: to.of, changes: compareBoms(topKey(from.top), topKey(to.top), structure) };
}

async function side(scope: Scope, id: string) {
  const versionId = id.startsWith('rev_') ? (await get(scope, 'revisions', id)).versionId : id;
  const { version, document } = await assemblyOf(scope, versionId);
  const top = bomTop(version, null);
  return { top, of: bomOf(document, version, top) };
}
