// The lines of bills of materials: their versions, documents and whether they are outdated.

import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';
import { isOutdated, type Resolution } from './reference.ts';

/** A line of an assembly. */
export type BomLine = {
  /** The position in the assembly, from 1. */
  findNumber: number;
  /** The address as written in the asm.json; `key` is its normalized form (`addressKey`). */
  address: string;
  key: string;
  quantity: number;
  documentId: string | null;
  /**
   * The version that the address resolves to; BomDocument lists the obsolete ones. Null if it does not resolve.
   */
  resolution: Omit<Resolution, 'obsolete'> | null;
  /** Whether the version has lines itself. */
  hasLines: boolean;
  /** Why the address does not resolve. */
  reason: string | null;
};

/**
 * A document of a row. `newest` is what its address without a suffix resolves to, `obsolete` the versions whose release
 * is obsolete.
 */
export type BomDocument = {
  number: string;
  name: string;
  kind: DocumentKind;
  newest: Resolution | null;
  obsolete: ReadonlySet<string>;
};

/** The lines of a top version and of every version below it by version id, and the documents of these lines by id. */
export type BomStructure = {
  lines: ReadonlyMap<string, readonly BomLine[]>;
  documents: ReadonlyMap<string, BomDocument>;
};

/** The fields of a line that do not depend on where its assembly is used. */
export type BomLineDetails = {
  findNumber: number;
  documentId: string | null;
  number: string | null;
  name: string | null;
  kind: DocumentKind | null;
  address: string;
  resolution: Resolution | null;
  quantity: number;
  /** Whether the address of the document without a suffix resolves to a newer version. */
  outdated: boolean;
  /** Whether something below is outdated, at any depth. */
  outdatedBelow: boolean;
  status: 'resolved' | 'unresolved';
  /** Why the address does not resolve. Null if it does. */
  reason: string | null;
};

export type DetailsOf = (line: BomLine) => BomLineDetails;

/** Returns a function that returns the details of a line and computes them once per line. */
export function bomLineDetails(structure: BomStructure): DetailsOf {
  const cache = new Map<BomLine, BomLineDetails>();
  const outdated = versionsWithOutdated(structure);
  return (line) => {
    let details = cache.get(line);
    if (!details) {
      details = detailsOfLine(
        line,
        structure.documents,
        line.resolution !== null && outdated.has(line.resolution.versionId),
      );
      cache.set(line, details);
    }
    return details;
  };
}

/** Returns the details of a line, given whether something below is outdated. */
export function detailsOfLine(
  line: BomLine,
  documents: BomStructure['documents'],
  outdatedBelow: boolean,
): BomLineDetails {
  const { findNumber, address, quantity, documentId, reason } = line;
  const document = documentOf(line, documents);
  const resolution = resolutionOf(line, document);
  return {
    findNumber,
    documentId,
    number: document?.number ?? null,
    name: document?.name ?? null,
    kind: document?.kind ?? null,
    address,
    resolution,
    quantity,
    outdated: isLineOutdated(line, document),
    outdatedBelow,
    status: resolution ? 'resolved' : 'unresolved',
    reason,
  };
}

/** Returns the ids of the versions in which something is outdated, at any depth. */
export function versionsWithOutdated({ lines, documents }: BomStructure): Set<string> {
  const usedIn = new Map<string, string[]>();
  const found = new Set<string>();
  for (const [version, own] of lines) {
    for (const line of own) {
      if (isLineOutdated(line, documentOf(line, documents))) found.add(version);
      if (!line.hasLines || !line.resolution) continue;
      const parents = usedIn.get(line.resolution.versionId);
      if (parents) parents.push(version);
      else usedIn.set(line.resolution.versionId, [version]);
    }
  }
  // Iterating a Set includes the items added meanwhile.
  for (const version of found) for (const parent of usedIn.get(version) ?? []) found.add(parent);
  return found;
}

// Checks the common case first: nearly every line resolves to the newest version.
function isLineOutdated({ resolution }: BomLine, document: BomDocument | undefined): boolean {
  if (!resolution || !document || document.newest?.versionId === resolution.versionId) return false;
  const { versionId, n } = resolution;
  return isOutdated({ versionId, n, obsolete: document.obsolete.has(versionId) }, document.newest);
}

// Copies field by field: spreading is several times slower, and there are up to 100,000 lines.
function resolutionOf({ resolution }: BomLine, document: BomDocument | undefined): Resolution | null {
  if (!resolution) return null;
  const { as, label, n, versionId, pinned } = resolution;
  return { as, n, versionId, label, pinned, obsolete: document?.obsolete.has(versionId) ?? false };
}

function documentOf({ documentId }: BomLine, documents: BomStructure['documents']): BomDocument | undefined {
  return documentId === null ? undefined : documents.get(documentId);
}

/**
 * Returns the quantity of a line in `times` of its assembly. Throws `validation_failed` if it exceeds the safe
 * integers.
 */
export function multiplyQuantity(line: BomLine, times: number): number {
  const total = times * line.quantity;
  return Number.isSafeInteger(total) ? total : refuseQuantity(line);
}

/** Throws the `validation_failed` for a quantity that exceeds the safe integers. */
export function refuseQuantity({ address }: BomLine): never {
  return refuse('validation_failed', `The quantity of ${address} is too large. Request fewer levels with depth.`, {
    limit: 'bomQuantity',
    allowed: Number.MAX_SAFE_INTEGER,
  });
}
