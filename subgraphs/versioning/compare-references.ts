// Compares the references of two drafts or versions.
import { compareLines, type LineDifference } from '../core/domain/assembly/bom-compare.ts';
import { type BomLine, type BomLineDetails, detailsOfLine } from '../core/domain/assembly/bom-line.ts';
import { changeBetween } from '../core/domain/versions/compare.ts';
import { documentsIn, readBomDocuments } from '../core/store/assembly/bom-documents.ts';
import { readLines } from '../core/store/assembly/bom-structure.ts';
import type { Scope } from '../core/store/query/scope.ts';

/** An assembly line that exists on one side only, or differs in quantity, version or address. */
export type ReferenceChange = {
  change: 'added' | 'removed' | 'changed';
  differences: LineDifference[];
  from: ComparedReference | null;
  to: ComparedReference | null;
};
export type ComparedReference = Pick<
  BomLineDetails,
  'documentId' | 'number' | 'name' | 'quantity' | 'status' | 'reason'
> & {
  /** The position in the assembly, from 1. */
  line: number;
  location: string;
  versionId: string | null;
  n: number | null;
  label: string | null;
};

/**
 * Compares the direct references of two drafts or versions: those of versions as frozen, those of drafts as resolved
 * now. Lines are paired by document, and those with equal addresses first. Returns an empty list without assemblies.
 * The number of queries is constant.
 */
export async function compareReferences(scope: Scope, from: string, to: string): Promise<ReferenceChange[]> {
  const lines = await readLines(
    scope,
    [from, to].map((versionId) => ({ versionId, now: false })),
  );
  const changes = compareLines(lines.get(from) ?? [], lines.get(to) ?? []);
  const documents = await readBomDocuments(scope, documentsIn(lines.values()));
  const toReference = (line: BomLine | null): ComparedReference | null => {
    if (!line) return null;
    const { findNumber, address, documentId, number, name, quantity, status, reason, resolution } = detailsOfLine(
      line,
      documents,
      false,
    );
    const { versionId = null, n = null, label = null } = resolution ?? {};
    return {
      line: findNumber,
      location: address,
      documentId,
      number,
      name,
      quantity,
      status,
      reason,
      versionId,
      n,
      label,
    };
  };
  return changes.map(({ from, to, differences }) => ({
    change: changeBetween(from, to),
    differences,
    from: toReference(from),
    to: toReference(to),
  }));
}
