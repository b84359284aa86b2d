import { type BomMode, type BomRow, bomRows } from '../../core/domain/assembly/bom.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Context } from '../../core/graphql.ts';
import { type BomTop, readStructure, topKey } from '../../core/store/assembly/bom-structure.ts';
import type { DocumentRecord, VersionRecord } from '../../core/store/schema/collections.ts';
import { assemblyOf } from './read-references.ts';

/** Whether a structure is told as it was frozen with a version, or as its references mean now. */
export type BomResolve = 'frozen' | 'now';

/** Of which draft or version a bill of material is, and how its references were read. */
export type BomOf = {
  documentId: string;
  number: string;
  name: string;
  versionId: string;
  n: number | null;
  resolve: BomResolve;
};

export type Bom = BomOf & { mode: BomMode; items: BomRow[] };

type Input = { versionId: string; mode?: BomMode | null; depth?: number | null; resolve?: BomResolve | null };

/**
 * The bill of material of an assembly's draft or version. A version answers as it was frozen, or, with resolve=now, as a version made of it now would
 * be frozen; a draft is always resolved now. Refuses what is no assembly (`wrong_kind`) and a draft asked for frozen (`not_a_version`).
 */
export async function readBom(
  { scope }: Pick<Context, 'scope'>,
  { versionId, mode: asked, depth, resolve }: Input,
): Promise<Bom> {
  const { version, document } = await assemblyOf(scope, versionId);
  const top = bomTop(version, resolve);
  const structure = await readStructure(scope, [top]);
  const mode = asked ?? 'indented';
  return { ...bomOf(document, version, top), mode, items: bomRows(topKey(top), structure, { mode, depth }) };
}

/** How a draft or version is to be read. Refuses a draft asked for frozen with `not_a_version`. */
export function bomTop({ _id, type }: VersionRecord, resolve: BomResolve | null | undefined): BomTop {
  if (type === 'draft' && resolve === 'frozen')
    refuse('not_a_version', 'A draft has no frozen structure. Ask with resolve=now, or make a version of it.', {
      versionId: _id,
    });
  return { versionId: _id, now: type === 'draft' || resolve === 'now' };
}

export function bomOf({ number, name }: DocumentRecord, { _id, documentId, n }: VersionRecord, { now }: BomTop): BomOf {
  return { documentId, number, name, versionId: _id, n, resolve: now ? 'now' : 'frozen' };
}
