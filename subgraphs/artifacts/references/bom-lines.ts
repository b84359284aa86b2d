// Loads BOM lines level by level, so that nested GraphQL fields need a few queries per level.
import DataLoader from 'dataloader';
import {
  type BomDocument,
  type BomLineDetails,
  detailsOfLine,
  type BomLine as StructureLine,
  versionsWithOutdated,
} from '../../core/domain/assembly/bom-line.ts';
import { operationLimit } from '../../core/operation-limit.ts';
import { documentsIn, readBomDocuments } from '../../core/store/assembly/bom-documents.ts';
import { type BomTop, readBelow, readLines, topKey } from '../../core/store/assembly/bom-structure.ts';
import type { Scope } from '../../core/store/query/scope.ts';

/** A line of an assembly. `outdatedBelow` is loaded separately, because it reads all levels below. */
export type BomLine = Omit<BomLineDetails, 'outdatedBelow'> & { hasLines: boolean };

export type BomLoaders = {
  /** Counts the lines that one operation reads; throws if they are too many. */
  assertBomLineLimit: (lines: number) => void;
  /** The lines of a draft or version; empty if it references nothing. */
  bomLines: DataLoader<BomTop, BomLine[], string>;
  /** Whether a version references something outdated, at any depth. */
  outdatedIn: DataLoader<string, boolean>;
};

// Lines repeat wherever their assembly is used. Use the `bom` query for larger trees.
const MAX_LINES = 20_000;

/** Creates the loaders of one request: five queries per level of lines, and two per level below for `outdatedIn`. */
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
    return new Map(found.flatMap(([id, loaded]) => (loaded ? [[id, loaded]] : [])));
  };

  const bomLines = async (tops: readonly BomTop[]): Promise<BomLine[][]> => {
    const lines = await readLines(scope, tops);
    const documents = await documentsOf(lines);
    return tops.map((top) =>
      (lines.get(topKey(top)) ?? []).map((line) => {
        const { outdatedBelow: _, ...details } = detailsOfLine(line, documents, false);
        return { ...details, hasLines: line.hasLines };
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
  return {
    assertBomLineLimit: operationLimit('bomLines', MAX_LINES, 'lines of assemblies, counted at each use'),
    bomLines: new DataLoader(bomLines, { cacheKeyFn: topKey }),
    outdatedIn: new DataLoader(outdatedIn),
  };
}
