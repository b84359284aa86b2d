// The materials and masses of the lines of a bill of materials, from the properties of their models.
import { useEffect, useState } from 'preact/hooks';
import { isObject } from '../shell/is-object.ts';
import { showError } from '../ui/toasts.tsx';
import { readArtifactJson } from '../viewer/use-artifact-json.ts';

/** Mass in kg of one piece; null if a part of it has none. */
export type LineMass = { mass: number | null; materials: readonly string[] };

const CONCURRENT = 6;

/** Returns material and mass by the id of the properties artifact; those that are not loaded yet are missing. */
export function useLineMasses(ids: readonly string[]): ReadonlyMap<string, LineMass> {
  const [masses, setMasses] = useState<ReadonlyMap<string, LineMass>>(new Map());
  const wanted = [...new Set(ids)].sort().join(' ');
  useEffect(() => {
    if (wanted === '') return;
    const controller = new AbortController();
    void readLineMasses(wanted.split(' '), controller.signal).then(
      (found) => !controller.signal.aborted && setMasses(found),
      (error: unknown) => !controller.signal.aborted && showError(error),
    );
    return () => controller.abort();
  }, [wanted]);
  return masses;
}

/** Reads material and mass by the id of the properties artifact. Throws if one cannot be read. */
export async function readLineMasses(
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, LineMass>> {
  const masses = new Map<string, LineMass>();
  const waiting = [...new Set(ids)];
  const readNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      masses.set(id, lineMass(await readArtifactJson(id, signal)));
  };
  await Promise.all(Array.from({ length: CONCURRENT }, readNext));
  return masses;
}

/** Reads material and mass from a properties artifact. */
export function lineMass(properties: unknown): LineMass {
  const { mass, massUnits, occurrencesWithoutMass, materials }: Record<string, unknown> = isObject(properties)
    ? properties
    : {};
  const isKnown = typeof mass === 'number' && massUnits === 'kg' && occurrencesWithoutMass === 0;
  const names = Array.isArray(materials)
    ? materials.flatMap((material) => (isObject(material) && typeof material.name === 'string' ? [material.name] : []))
    : [];
  return { mass: isKnown ? mass : null, materials: [...new Set(names)] };
}
