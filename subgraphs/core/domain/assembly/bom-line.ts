// What the lines of assemblies say: which version each means, of which document, and what is outdated.
import { refuse } from '../errors.ts';
import type { DocumentKind } from '../kinds.ts';
import { isOutdated, type Resolution } from './reference.ts';

/** A line of an assembly and the version it means; `opens`: that version uses others itself. Without a version: why. */
export type BomLine = {
  /** Its place in the assembly, from 1. */
  findNumber: number;
  /** As it is written in the asm.json, and the one text for all ways to write it (`addressKey`). */
  address: string;
  key: string;
  quantity: number;
  documentId: string | null;
  /** Obsolete is known of the document. */
  resolution: Omit<Resolution, 'obsolete'> | null;
  opens: boolean;
  reason: string | null;
};

/** What there is to say of a document in a row: `newest` is what its bare address means now, `obsolete` the versions whose release is obsolete. */
export type BomDocument = {
  number: string;
  name: string;
  kind: DocumentKind;
  newest: Resolution | null;
  obsolete: ReadonlySet<string>;
};

/** The lines of a top and of every version below it, each version once however often it is used, and the documents that they name. */
export type BomStructure = {
  lines: ReadonlyMap<string, readonly BomLine[]>;
  documents: ReadonlyMap<string, BomDocument>;
};

/** What a line says wherever it stands. */
export type BomFacts = {
  findNumber: number;
  documentId: string | null;
  number: string | null;
  name: string | null;
  kind: DocumentKind | null;
  address: string;
  resolution: Resolution | null;
  quantity: number;
  /** It is not what the bare address of its document means now. */
  outdated: boolean;
  /** Something inside is outdated, however deep. */
  outdatedBelow: boolean;
  status: 'resolved' | 'unresolved';
  /** Why it means nothing; null where it means something. */
  reason: string | null;
};

export type FactsOf = (line: BomLine) => BomFacts;

/** What each line of a structure says, worked out once a line however often it stands in the tree. */
export function bomFacts(structure: BomStructure): FactsOf {
  const known = new Map<BomLine, BomFacts>();
  const stale = versionsWithOutdated(structure);
  return (line) => {
    let facts = known.get(line);
    if (!facts) {
      facts = factsOfLine(line, structure.documents, line.resolution !== null && stale.has(line.resolution.versionId));
      known.set(line, facts);
    }
    return facts;
  };
}

/** What a line says, when it is known whether something inside is outdated. */
export function factsOfLine(line: BomLine, documents: BomStructure['documents'], outdatedBelow: boolean): BomFacts {
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

/** The versions in which something is outdated, at any depth: from those that use it upwards, each once. */
export function versionsWithOutdated({ lines, documents }: BomStructure): Set<string> {
  const usedIn = new Map<string, string[]>();
  const found = new Set<string>();
  for (const [version, own] of lines) {
    for (const line of own) {
      if (isLineOutdated(line, documentOf(line, documents))) found.add(version);
      if (!line.opens || !line.resolution) continue;
      const users = usedIn.get(line.resolution.versionId);
      if (users) users.push(version);
      else usedIn.set(line.resolution.versionId, [version]);
    }
  }
  for (const version of found) for (const user of usedIn.get(version) ?? []) found.add(user); // a set hands out what is added meanwhile too
  return found;
}

// Nearly every line means what is newest: that is seen without looking further.
function isLineOutdated({ resolution }: BomLine, document: BomDocument | undefined): boolean {
  if (!resolution || !document || document.newest?.versionId === resolution.versionId) return false;
  const { versionId, n } = resolution;
  return isOutdated({ versionId, n, obsolete: document.obsolete.has(versionId) }, document.newest);
}

// Field by field: spreading takes several times as long, and there are up to 100,000 lines.
function resolutionOf({ resolution }: BomLine, document: BomDocument | undefined): Resolution | null {
  if (!resolution) return null;
  const { as, label, n, versionId, pinned } = resolution;
  return { as, n, versionId, label, pinned, obsolete: document?.obsolete.has(versionId) ?? false };
}

function documentOf({ documentId }: BomLine, documents: BomStructure['documents']): BomDocument | undefined {
  return documentId === null ? undefined : documents.get(documentId);
}

/** The quantity of a line in so many of its assembly. Refuses with `validation_failed` what is beyond counting. */
export function timesOf(line: BomLine, times: number): number {
  const total = times * line.quantity;
  return Number.isSafeInteger(total) ? total : refuseUncountable(line);
}

/** Refuses a quantity that is beyond counting. */
export function refuseUncountable({ address }: BomLine): never {
  return refuse('validation_failed', `${address} is used too often to be counted. Ask for fewer levels with depth.`, {
    limit: 'bomQuantity',
    allowed: Number.MAX_SAFE_INTEGER,
  });
}
