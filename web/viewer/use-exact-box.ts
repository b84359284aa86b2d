import { useEffect, useState } from 'preact/hooks';
import { rest } from '../shell/ask.ts';
import type { Box, Point } from './space.ts';

/** The box around the whole model as the engine's kernel measured it, in mm: that of the triangles is a little smaller where faces are round. */
export function useExactBox(artifactId: string | null): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    setBox(null);
    if (!artifactId) return;
    const gone = new AbortController();
    rest(`/artifacts/${artifactId}/file`, { signal: gone.signal })
      .then((response) => response.json())
      .then((properties: unknown) => setBox(boxIn(properties)))
      .catch(() => setBox(null)); // the triangles say it well enough
    return () => gone.abort();
  }, [artifactId]);
  return box;
}

/** The box in a properties file; null when it has none that can be read. */
export function boxIn(properties: unknown): Box | null {
  if (!isRecord(properties) || properties.units !== 'mm' || !isRecord(properties.boundingBox)) return null;
  const { min, max } = properties.boundingBox;
  return isPoint(min) && isPoint(max) ? { min, max } : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((each) => Number.isFinite(each));
