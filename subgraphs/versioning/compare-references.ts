import { compareLines, type LineDifference } from '../core/domain/assembly/bom-compare.ts';
import { type BomLineDetails, type BomLine, detailsOfLine } from '../core/domain/assembly/bom-line.ts';
import { documentsIn, readBomDocuments } from '../core/store/assembly/bom-documents.ts';
import { readLines } from '../core/store/assembly/bom-structure.ts';
import type { Scope } from '../core/store/query/scope.ts';

/** A line of an assembly that only one side has, or that differs in quantity, version or address. */
export type ReferenceChange = {
  change: 'added' | 'removed' | 'changed';
  differences: LineDifference[];
  from: ComparedReference | null;
  to: ComparedReference | null;
};
export type ComparedReference = Pick<BomLineDetails, 'documentId' | 'number' | 'name' | 'quantity' | 'status' | 'reason'> & {
  /** Its place in the assembly, from 1. */
  line: number;
  location: string;
  versionId: string | null;
  n: number | null;
  label: string | null;
};

/**
 * What two drafts or versions use differently themselves, versions as they were frozen, drafts as they resolve now. Lines are paired by document,
 * those of one address first. A handful of queries; nothing for what is no assembly.
 */
export async function compareReferences(scope: Scope, from: string, to: string): Promise<ReferenceChange[]> {
  const lines = await readLines(
    scope,
    [from, to].map((versionId) => ({ versionId, now: false })),
  );
  const changes = compareLines(lines.get(from) ?? [], lines.get(to) ?? []);
  const documents = await readBomDocuments(scope, documentsIn(lines.values()));
  const shown = (line: BomLine | null): ComparedReference | null => {
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
    change: !from ? 'added' : !to ? 'removed' : 'changed',
    differences,
    from: shown(from),
    to: shown(to),
  }));
}
