// Reads the bill of materials of a draft or version.
import { type BomMode, type BomRow, bomRows } from '../../core/domain/assembly/bom.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Context } from '../../core/graphql.ts';
import { type BomTop, readStructure, topKey } from '../../core/store/assembly/bom-structure.ts';
import { get } from '../../core/store/query/records.ts';
import type { DocumentRecord, VersionRecord } from '../../core/store/schema/collections.ts';
import { requireAssembly } from './read-references.ts';

/** Whether to use the references that were frozen with the version, or to resolve them now. */
export type BomResolve = 'frozen' | 'now';

/** The draft or version that a BOM belongs to, and how its references were resolved. */
export type BomHeader = {
  documentId: string;
  number: string;
  name: string;
  versionId: string;
  n: number | null;
  resolve: BomResolve;
};

export type Bom = BomHeader & { mode: BomMode; items: BomRow[] };

type Input = { versionId: string; mode?: BomMode | null; depth?: number | null; resolve?: BomResolve | null };

/**
 * Returns the BOM of an assembly's draft or version. A version is read as frozen, or with `resolve: now` as a version
 * created from it now would be; a draft always resolves now. Throws `wrong_kind` if the document is not an assembly,
 * `not_a_version` for a draft with `resolve: frozen`.
 */
export async function readBom(
  { scope }: Pick<Context, 'scope'>,
  { versionId, mode: requestedMode, depth, resolve }: Input,
): Promise<Bom> {
  const { version, document } = await requireAssembly(scope, versionId);
  const top = bomTop(version, resolve);
  const structure = await readStructure(scope, [top]);
  const mode = requestedMode ?? 'indented';
  return { ...bomHeader(document, version, top), mode, items: bomRows(topKey(top), structure, { mode, depth }) };
}

/** Returns whether the draft or version is of an assembly. Throws `not_found`. */
export async function isAssembly({ scope }: Pick<Context, 'scope'>, versionId: string): Promise<boolean> {
  const { documentId } = await get(scope, 'versions', versionId);
  return (await get(scope, 'documents', documentId)).kind === 'assembly';
}

/** Returns the key to read a structure by. Throws `not_a_version` for a draft with `resolve: frozen`. */
export function bomTop({ _id, type }: VersionRecord, resolve: BomResolve | null | undefined): BomTop {
  if (type === 'draft' && resolve === 'frozen')
    refuse('not_a_version', 'A draft has no frozen structure. Use resolve=now, or create a version first.', {
      versionId: _id,
    });
  return { versionId: _id, now: type === 'draft' || resolve === 'now' };
}

export function bomHeader(
  { number, name }: DocumentRecord,
  { _id, documentId, n }: VersionRecord,
  { now }: BomTop,
): BomHeader {
  return { documentId, number, name, versionId: _id, n, resolve: now ? 'now' : 'frozen' };
}
