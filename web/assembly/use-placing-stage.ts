// Opens the 3D view of the assembly that is being built, and loads the shapes of its components.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MeasureData } from '../../subgraphs/core/domain/measure/measure-data.ts';
import { asError } from '../ui/errors.ts';
import { showError } from '../ui/toasts.tsx';
import { fetchFile } from '../viewer/fetch-file.ts';
import type { PlacedPart, PlacingEvents, PlacingStage } from '../viewer/three/placing-stage.ts';
import { readArtifactJson } from '../viewer/use-artifact-json.ts';
import { placementOf, type Structure } from './structure.ts';
import type { Components } from './use-components.ts';

type ShownPart = PlacedPart & { glb: { id: string; size: number }; measureId: string | null };

const MAX_SHOWN = 3_000;

/**
 * Returns the instances with a 3D model, the number of those that are too many to show, and the number of components
 * without a model. Reads the versions of documents whose reference is not known yet.
 */
export function usePlacedParts(structure: Structure, components: Components) {
  useEffect(() => {
    for (const { reference } of structure.templates) {
      const location = reference?.location ?? null;
      const document = components.documentOf(location);
      if (document && !components.versionOf(location)) components.loadVersions(document.id);
    }
  }, [structure.templates, components]);
  return useMemo(() => {
    const versions = new Map(
      structure.templates.map(({ ident, reference }) => [ident, components.versionOf(reference?.location ?? null)]),
    );
    const all: ShownPart[] = [];
    for (const instance of structure.instances) {
      const version = versions.get(instance.template);
      const placement = placementOf(instance);
      if (!version?.glb || !placement) continue;
      const { glb, measure } = version;
      all.push({ id: instance.ident, shape: glb.id, placement, glb, measureId: measure?.id ?? null });
    }
    const withoutModel = [...versions.values()].filter((version) => version && !version.glb).length;
    return { shown: all.slice(0, MAX_SHOWN), hidden: Math.max(0, all.length - MAX_SHOWN), withoutModel };
  }, [structure, components]);
}

/** Opens the stage in an element as soon as there is something to show; loads the 3D library on demand. */
export function usePlacingStage(
  host: { current: HTMLDivElement | null },
  isNeeded: boolean,
  events: PlacingEvents,
): { stage: PlacingStage | null; error: Error | null } {
  const [stage, setStage] = useState<PlacingStage | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [wasNeeded, setNeeded] = useState(isNeeded);
  const latest = useRef(events);
  latest.current = events;
  useEffect(() => {
    if (isNeeded) setNeeded(true);
  }, [isNeeded]);
  useEffect(() => {
    if (!wasNeeded) return;
    let opened: PlacingStage | null = null;
    let closed = false;
    const open = async () => {
      const { openPlacingStage } = await import('../viewer/three/placing-stage.ts');
      if (closed || !host.current) return;
      opened = openPlacingStage(host.current, {
        onSelect: (id) => latest.current.onSelect(id),
        onMove: (placement) => latest.current.onMove(placement),
        onPlace: (id, placement) => latest.current.onPlace(id, placement),
        onPick: (picked) => latest.current.onPick(picked),
      });
      setStage(opened);
    };
    open().catch((reason: unknown) => setError(asError(reason)));
    return () => {
      closed = true;
      opened?.dispose();
    };
  }, [wasNeeded]);
  return { stage, error };
}

/**
 * Downloads the shapes of the parts, each once; returns whether some are still missing. A part whose exact faces and
 * edges cannot be read is shown without them.
 */
export function useShapes(stage: PlacingStage | null, parts: readonly ShownPart[]): boolean {
  const [requested] = useState(() => new Set<string>());
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  useEffect(() => {
    if (!stage) return;
    const { signal } = abort.current;
    const load = async ({ shape, glb, measureId }: ShownPart) => {
      try {
        const data = await fetchFile(`/artifacts/${glb.id}/file`, glb.size, signal, () => {});
        if (!signal.aborted) await stage.addShape(shape, data);
        const measure = measureId === null ? null : await readArtifactJson(measureId, signal);
        // the service has validated the file
        if (measure && !signal.aborted) stage.setMeasureData(shape, measure as MeasureData);
      } finally {
        setDone((before) => new Set(before).add(shape)); // also after an error
      }
    };
    for (const part of parts) {
      if (requested.has(part.shape)) continue;
      requested.add(part.shape);
      load(part).catch((error: unknown) => !signal.aborted && showError(error));
    }
  }, [stage, parts]);
  return parts.some(({ shape }) => !done.has(shape));
}
