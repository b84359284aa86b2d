// Rejects references that would make an assembly contain itself.
import { type Address, formatAddress } from '../domain/assembly/address.ts';
import { refuse } from '../domain/errors.ts';
import { referencesOfAll } from '../store/assembly/references.ts';
import { inChunks, resolveReferences } from '../store/assembly/resolve-references.ts';
import { get } from '../store/query/records.ts';
import { collection, type Scope, within } from '../store/query/scope.ts';
import type { ReferenceRecord } from '../store/schema/collections.ts';

/** A reference on the path down from the document: the document that contains it, its address, and the step before. */
type Step = { documentId: string; number: string; location: string; previous: Step | null };
/** A document to search, the version of it that is used (null: only its drafts), and the last reference to it. */
type Use = { documentId: string; number: string; versionId: string | null; via: Step };

/**
 * Throws `reference_cycle` with the chain of documents if these addresses would make the document contain itself.
 * Follows the frozen references of the versions that the addresses resolve to, and the drafts of every document on the
 * way, because the next version of a draft would close the cycle. Sends one query per level for versions and drafts.
 */
export async function assertNoCycle(scope: Scope, documentId: string, addresses: readonly Address[]): Promise<void> {
  const document = await get(scope, 'documents', documentId);
  const seenVersions = new Set<string>();
  const seenDocuments = new Set<string>();
  let uses = await usesOf(scope, addresses, (address) => ({
    documentId,
    number: document.number,
    location: formatAddress(address),
    previous: null,
  }));
  while (uses.length) {
    for (const use of uses) if (use.documentId === documentId) refuseCycle(document.number, use);
    // `add` returns the set, so that these keep only the first use of each version and document
    const newVersions = uses.filter(
      ({ versionId }) => versionId && !seenVersions.has(versionId) && seenVersions.add(versionId),
    );
    const newDocuments = uses.filter((use) => !seenDocuments.has(use.documentId) && seenDocuments.add(use.documentId));
    uses = [...(await usesInVersions(scope, newVersions)), ...(await usesInDrafts(scope, newDocuments))];
  }
}

async function usesInVersions(scope: Scope, uses: readonly Use[]): Promise<Use[]> {
  const byVersion = new Map(uses.map((use) => [use.versionId, use]));
  const lines = await referencesOfAll(
    scope,
    uses.flatMap(({ versionId }) => versionId ?? []),
  );
  return lines.flatMap(({ frozen, versionId, location }) => {
    const use = byVersion.get(versionId);
    if (!frozen || !use) return [];
    const via = { documentId: use.documentId, number: use.number, location, previous: use.via };
    return [{ documentId: frozen.documentId, number: frozen.number, versionId: frozen.versionId, via }];
  });
}

async function usesInDrafts(scope: Scope, uses: readonly Use[]): Promise<Use[]> {
  const byDocument = new Map(uses.map((use) => [use.documentId, use]));
  const lines = await inChunks([...byDocument.keys()], (chunk) =>
    collection(scope, 'references')
      .find({ documentId: { $in: chunk }, place: 'draft' }, within(scope))
      .toArray(),
  );
  return usesOf(scope, lines, (line: ReferenceRecord) => {
    const use = byDocument.get(line.documentId);
    return {
      documentId: line.documentId,
      number: use?.number ?? line.documentId,
      location: line.location,
      previous: use?.via ?? null,
    };
  });
}

async function usesOf<A extends Address>(
  scope: Scope,
  addresses: readonly A[],
  step: (address: A) => Step,
): Promise<Use[]> {
  if (!addresses.length) return [];
  const targets = await resolveReferences(scope, addresses);
  return addresses.flatMap((address) => {
    const { document, version } = targets.get(formatAddress(address)) ?? {};
    return document
      ? [{ documentId: document._id, number: document.number, versionId: version?._id ?? null, via: step(address) }]
      : [];
  });
}

function refuseCycle(number: string, last: Use): never {
  const steps: Step[] = [];
  for (let step: Step | null = last.via; step; step = step.previous) steps.unshift(step);
  const chain = [
    ...steps.map((step) => ({ documentId: step.documentId, number: step.number, location: step.location })),
    { documentId: last.documentId, number },
  ];
  const path = chain.map((link) => link.number).join(' → ');
  return refuse('reference_cycle', `${number} would contain itself: ${path}. Remove one of these references first.`, {
    chain,
  });
}
