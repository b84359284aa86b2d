import { addressKey } from '../../core/domain/assembly/address.ts';
import { inFileOrder } from '../../core/domain/assembly/asm-references.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import { refuse } from '../../core/domain/errors.ts';
import type { Page, PageInput } from '../../core/domain/text/paging.ts';
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import type { Context } from '../../core/graphql.ts';
import { referencesOfAll } from '../../core/store/assembly/references.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { revisionsOfVersions } from '../../core/store/revisions.ts';
import type { ReferenceRecord } from '../../core/store/schema/collections.ts';
import type { Loaders } from '../loaders.ts';

/** One place in an asm.json that names a document, and the version it means: in a draft now, in a version as it was frozen. */
export type Reference = {
  /** JSON pointer into the asm.json. */
  path: string;
  location: string;
  quantity: number;
  documentId: string | null;
  number: string | null;
  resolution: Resolution | null;
  status: 'resolved' | 'unresolved';
  reason: string;
};

/** The references of an assembly's draft or version, in the order of its asm.json. Refuses other kinds of document with `wrong_kind`. */
export async function readReferences(
  { scope, loaders }: Context<Loaders>,
  { versionId }: { versionId: string },
): Promise<Reference[]> {
  await assemblyOf(scope, versionId);
  return loaders.referencesOfVersion.load(versionId);
}

type Asked = PageInput<'position' | 'number'> & { versionId: string };

/** A page of the same, in the order of its asm.json unless told otherwise. They are read whole: what one means is asked for all together. */
export async function readReferencePage(
  context: Context<Loaders>,
  { versionId, ...input }: Asked,
): Promise<Page<Reference>> {
  const all = (await readReferences(context, { versionId })).map((reference, position) => ({ reference, position }));
  const { items, ...rest } = paginateInMemory(all, input, {
    list: `references:${versionId}`,
    keys: { position: ({ position }) => position, number: ({ reference }) => reference.number ?? '' },
    idOf: ({ reference }) => reference.path,
    usual: { sort: 'position', descending: false },
  });
  return { items: items.map(({ reference }) => reference), ...rest };
}

/** The document that a draft or version belongs to. Refuses with `wrong_kind` what is no assembly. */
export async function assemblyOf(scope: Scope, versionId: string) {
  const version = await get(scope, 'versions', versionId);
  const document = await get(scope, 'documents', version.documentId);
  if (document.kind !== 'assembly')
    refuse(
      'wrong_kind',
      `Document ${document.number} is of kind ${document.kind}; only an assembly uses other documents.`,
      {
        kind: document.kind,
        allowed: ['assembly'],
      },
    );
  return { version, document };
}

/** The references of some drafts and versions, by the id of each: a handful of queries, however many there are. */
export async function referencesByVersion(
  scope: Scope,
  versionIds: readonly string[],
): Promise<Map<string, Reference[]>> {
  const lines = await referencesOfAll(scope, versionIds);
  const meaning = await meaningsOf(scope, lines);
  const byVersion = Map.groupBy(lines, ({ versionId }) => versionId);
  return new Map(
    [...byVersion].map(([id, own]) => [id, inFileOrder(own.flatMap((line) => occurrences(line, meaning(line))))]),
  );
}

/** What a line means, and why. */
export type Meaning = Omit<Reference, 'path' | 'location' | 'quantity'>;

/** What each of some lines means: in a version as it was frozen, in a draft now. */
export async function meaningsOf(
  scope: Scope,
  lines: readonly ReferenceRecord[],
): Promise<(line: ReferenceRecord) => Meaning> {
  const targets = await resolveReferences(
    scope,
    lines.filter(({ frozen }) => !frozen),
  );
  const frozenIds = [...new Set(lines.flatMap(({ frozen }) => frozen?.versionId ?? []))];
  const revisions = await inChunks(frozenIds, (some) => revisionsOfVersions(scope, some));
  const obsolete = new Set(revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId));

  return (line) => {
    if (line.frozen) {
      const { documentId, number, as, label, n, versionId } = line.frozen;
      const resolution = { as, label, n, versionId, obsolete: obsolete.has(versionId), pinned: true };
      return { documentId, number, resolution, status: 'resolved', reason: 'frozen when the version was made' };
    }
    const { document, resolved } = targets.get(addressKey(line)) ?? {};
    const { resolution = null, reason = `There is no document ${line.target}.` } = resolved ?? {};
    return {
      documentId: document?._id ?? null,
      number: document?.number ?? null,
      resolution,
      status: resolution ? 'resolved' : 'unresolved',
      reason,
    };
  };
}

function occurrences({ location, occurrences }: ReferenceRecord, meaning: Meaning): Reference[] {
  return occurrences.map(({ path, quantity }) => ({ path, location, quantity, ...meaning }));
}
