// Compares the BOMs of two drafts or versions.
import { type BomChange, compareBoms } from '../../core/domain/assembly/bom-compare.ts';
import type { Context } from '../../core/graphql.ts';
import { readStructure, topKey } from '../../core/store/assembly/bom-structure.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { type BomHeader, bomHeader, bomTop } from './read-bom.ts';
import { requireAssembly } from './read-references.ts';

export type BomComparison = { from: BomHeader; to: BomHeader; changes: BomChange[] };

/**
 * Compares the BOMs of two drafts or versions of the same or different documents. A revision id means its version.
 * Reads the frozen references of versions, and resolves those of drafts now. Throws `wrong_kind` if a document is not
 * an assembly.
 */
export async function readBomComparison(
  { scope }: Pick<Context, 'scope'>,
  input: { id: string; with: string },
): Promise<BomComparison> {
  const from = await readSide(scope, input.id);
  const to = await readSide(scope, input.with);
  const tops = from.header.versionId === to.header.versionId ? [from.top] : [from.top, to.top];
  const structure = await readStructure(scope, tops);
  return { from: from.header, to: to.header, changes: compareBoms(topKey(from.top), topKey(to.top), structure) };
}

async function readSide(scope: Scope, id: string) {
  const versionId = id.startsWith('rev_') ? (await get(scope, 'revisions', id)).versionId : id;
  const { version, document } = await requireAssembly(scope, versionId);
  const top = bomTop(version, null);
  return { top, header: bomHeader(document, version, top) };
}
