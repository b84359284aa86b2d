// Loads the lines of the bill of materials that place the parts of an assembly's model.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { PlacedLinesDocument, type PlacedLinesQuery } from '../generated/operations.ts';
import type { EventFilter } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { showError } from '../ui/toasts.tsx';
import { linesOfParts } from './part-places.ts';
import type { ProductRow } from './product.ts';
import { readArtifactJson } from './use-artifact-json.ts';

/** A line of the bill of materials; see `PlacedLine`. */
export type PartLine = PlacedLinesQuery['bom']['items'][number];
/** Returns the line of each row of the model; null where there is none. */
export type LinesOf = (rows: readonly ProductRow[]) => readonly (PartLine | null)[];

/** Returns a function that finds the lines of the parts of an assembly, which knows none until everything is loaded. */
export function usePartLines(versionId: string | null, isRelevant?: EventFilter): LinesOf {
  const { data } = useQuery(PlacedLinesDocument, versionId === null ? null : { id: versionId }, isRelevant);
  const [files, setFiles] = useState<ReadonlyMap<string, unknown> | null>(null);
  useEffect(() => {
    setFiles(null);
    if (!data) return;
    const controller = new AbortController();
    fetchFiles(data, controller.signal).then(
      (loaded) => !controller.signal.aborted && setFiles(loaded),
      (error: unknown) => !controller.signal.aborted && showError(error), // without them, the parts have no lines
    );
    return () => controller.abort();
  }, [data]);
  return useCallback(
    (rows) => (data && files && versionId !== null ? linesOfParts(rows, versionId, data.bom.items, files) : []),
    [data, files],
  );
}

/** Reads the asm.json of the assembly and of each subassembly, each once. */
async function fetchFiles({ version, bom }: PlacedLinesQuery, signal: AbortSignal): Promise<Map<string, unknown>> {
  const versions = [version, ...bom.items.map((line) => line.version)];
  const ids = new Map(versions.flatMap((each) => (each?.asmJson ? [[each.id, each.asmJson.id]] : [])));
  return new Map(
    await Promise.all(
      [...ids].map(async ([id, file]): Promise<[string, unknown]> => [id, await readArtifactJson(file, signal)]),
    ),
  );
}
