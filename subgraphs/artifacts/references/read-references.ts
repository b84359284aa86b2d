// Reads the references of drafts and versions and resolves them.
import { addressKey } from '../../core/domain/assembly/address.ts';
import { sortInFileOrder } from '../../core/domain/assembly/asm-references.ts';
import type { Resolution } from '../../core/domain/assembly/reference.ts';
import { refuse } from '../../core/domain/errors.ts';
import { paginateInMemory } from '../../core/domain/text/paginate-in-memory.ts';
import type { Page, PageInput } from '../../core/domain/text/paging.ts';
import type { Context } from '../../core/graphql.ts';
import { referencesOfAll } from '../../core/store/assembly/references.ts';
import { inChunks, resolveReferences } from '../../core/store/assembly/resolve-references.ts';
import { get } from '../../core/store/query/records.ts';
import type { Scope } from '../../core/store/query/scope.ts';
import { revisionsOfVersions } from '../../core/store/revisions.ts';
import type { ReferenceRecord } from '../../core/store/schema/collections.ts';
import type { Loaders } from '../loaders.ts';

/** An occurrence of a reference in an asm.json and what it resolves to: now in a draft, as frozen in a version. */
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

/** Returns the references of an assembly in file order. Throws `wrong_kind` if the document is not an assembly. */
export async function readReferences(
  { scope, loaders }: Context<Loaders>,
  { versionId }: { versionId: string },
): Promise<Reference[]> {
  await requireAssembly(scope, versionId);
  return loaders.referencesOfVersion.load(versionId);
}

type ReferencePageInput = PageInput<'position' | 'number'> & { versionId: string };

/** Returns a page of the references, by default in file order. All are read, because they are resolved in batches. */
export async function readReferencePage(
  context: Context<Loaders>,
  { versionId, ...input }: ReferencePageInput,
): Promise<Page<Reference>> {
  const all = (await readReferences(context, { versionId })).map((reference, position) => ({ reference, position }));
  const { items, ...rest } = paginateInMemory(all, input, {
    list: `references:${versionId}`,
    keys: { position: ({ position }) => position, number: ({ reference }) => reference.number ?? '' },
    idOf: ({ reference }) => reference.path,
    defaultOrder: { sort: 'position', descending: false },
  });
  return { items: items.map(({ reference }) => reference), ...rest };
}

/** Returns a draft or version with its document. Throws `wrong_kind` if the document is not an assembly. */
export async function requireAssembly(scope: Scope, versionId: string) {
  const version = await get(scope, 'versions', versionId);
  const document = await get(scope, 'documents', version.documentId);
  if (document.kind !== 'assembly')
    refuse('wrong_kind', `Document ${document.number} is of kind ${document.kind}; only an assembly has references.`, {
      kind: document.kind,
      allowed: ['assembly'],
    });
  return { version, document };
}

/** Returns the references of drafts and versions by version id, in a constant number of queries. */
export async function referencesByVersion(
  scope: Scope,
  versionIds: readonly string[],
): Promise<Map<string, Reference[]>> {
  const lines = await referencesOfAll(scope, versionIds);
  const resolve = await resolveLines(scope, lines);
  const byVersion = Map.groupBy(lines, ({ versionId }) => versionId);
  return new Map(
    [...byVersion].map(([id, own]) => [id, sortInFileOrder(own.flatMap((line) => toReferences(line, resolve(line))))]),
  );
}

/** The version that a line resolves to, and the reason. */
export type LineResolution = Omit<Reference, 'path' | 'location' | 'quantity'>;

/** Returns a function that resolves each of the lines: frozen ones as frozen, those of drafts as of now. */
export async function resolveLines(
  scope: Scope,
  lines: readonly ReferenceRecord[],
): Promise<(line: ReferenceRecord) => LineResolution> {
  const targets = await resolveReferences(
    scope,
    lines.filter(({ frozen }) => !frozen),
  );
  const frozenIds = [...new Set(lines.flatMap(({ frozen }) => frozen?.versionId ?? []))];
  const revisions = await inChunks(frozenIds, (chunk) => revisionsOfVersions(scope, chunk));
  const obsolete = new Set(revisions.filter((revision) => revision.obsolete).map(({ versionId }) => versionId));

  return (line) => {
    if (line.frozen) {
      const { documentId, number, as, label, n, versionId } = line.frozen;
      const resolution = { as, label, n, versionId, obsolete: obsolete.has(versionId), pinned: true };
      return { documentId, number, resolution, status: 'resolved', reason: 'frozen when the version was created' };
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

function toReferences({ location, occurrences }: ReferenceRecord, resolution: LineResolution): Reference[] {
  return occurrences.map(({ path, quantity }) => ({ path, location, quantity, ...resolution }));
}
