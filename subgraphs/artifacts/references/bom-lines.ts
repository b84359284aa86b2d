// One level of a bill of material for each of many drafts and versions, so that a nested query asks the store by level and not by row.
import DataLoader from 'dataloader';
import { allowance } from '../../core/allowance.ts';
import {
  type BomDocument,
  type BomFacts,
  factsOfLine,
  type BomLine as StructureLine,
  versionsWithOutdated,
} from '../../core/domain/assembly/bom-line.ts';
import { documentsIn, readBomDocuments } from '../../core/store/assembly/bom-documents.ts';
import { type BomTop, readBelow, readLines, topKey } from '../../core/store/assembly/bom-structure.ts';
import type { Scope } from '../../core/store/query/scope.ts';

/** A line of an assembly; whether something inside is outdated is asked apart, because that needs all that is below. */
export type BomLine = Omit<BomFacts, 'outdatedBelow'> & { opens: boolean };

export type BomLoaders = {
  /** Counts the lines that one operation finds. */
  bomAllowance: (lines: number) => void;
  /** The lines of a draft or version; none for what uses nothing. */
  bomLines: DataLoader<BomTop, BomLine[], string>;
  /** Whether something in a version is outdated, at any depth. */
  outdatedIn: DataLoader<string, boolean>;
};

// A line is there again at every place: what nests too often is refused before it is read, and `bom` tells it as rows.
const MOST_LINES = 20_000;

/** Makes the loaders of one request: five queries for a level of lines, and two for each level below one when it is asked what is outdated there. */
export function bomLoaders(scope: Scope): BomLoaders {
  const outdated = new Map<string, boolean>();
  const document = new DataLoader(async (ids: readonly string[]): Promise<(BomDocument | null)[]> => {
    const found = await readBomDocuments(scope, ids);
    return ids.map((id) => found.get(id) ?? null);
  });
  const documentsOf = async (
    lines: ReadonlyMap<string, readonly StructureLine[]>,
  ): Promise<Map<string, BomDocument>> => {
    const found = await Promise.all(
      documentsIn(lines.values()).map(async (id) => [id, await document.load(id)] as const),
    );
    return new Map(found.flatMap(([id, known]) => (known ? [[id, known]] : [])));
  };

  const bomLines = async (tops: readonly BomTop[]): Promise<BomLine[][]> => {
    const lines = await readLines(scope, tops);
    const documents = await documentsOf(lines);
    return tops.map((top) =>
      (lines.get(topKey(top)) ?? []).map((line) => {
        const { outdatedBelow: _unknown, ...facts } = factsOfLine(line, documents, false);
        return { ...facts, opens: line.opens };
      }),
    );
  };
  const outdatedIn = async (versionIds: readonly string[]): Promise<boolean[]> => {
    const unknown = versionIds.filter((id) => !outdated.has(id));
    if (unknown.length) {
      const lines = await readLines(
        scope,
        unknown.map((versionId) => ({ versionId, now: false })),
      );
      await readBelow(scope, lines);
      const found = versionsWithOutdated({ lines, documents: await documentsOf(lines) });
      for (const version of [...unknown, ...lines.keys()]) outdated.set(version, found.has(version));
    }
    return versionIds.map((id) => outdated.get(id) ?? false);
  };
  const bomAllowance = allowance('bomLines', MOST_LINES, 'lines of assemblies, wherever they stand');
  return {
    bomAllowance,
    bomLines: new DataLoader(bomLines, { cacheKeyFn: topKey }),
    outdatedIn: new DataLoader(outdatedIn),
  };
}
