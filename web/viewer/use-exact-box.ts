// Reads the exact bounding box of a model.
import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { isObject } from '../shell/is-object.ts';
import type { Box, Point } from './space.ts';

/**
 * Returns the bounding box that the geometry kernel computed, in mm; null until it is read or if it cannot be. The box
 * of the triangles is slightly smaller where faces are round.
 */
export function useExactBox(artifactId: string | null): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    setBox(null);
    if (!artifactId) return;
    const controller = new AbortController();
    restRequest(`/artifacts/${artifactId}/file`, { signal: controller.signal })
      .then((response) => response.json())
      .then((properties: unknown) => setBox(parseBoundingBox(properties)))
      .catch(() => setBox(null)); // the box of the triangles is good enough
    return () => controller.abort();
  }, [artifactId]);
  return box;
}

/** Returns the bounding box of a properties file; null if it has no valid one. */
export function parseBoundingBox(properties: unknown): Box | null {
  if (!isObject(properties) || properties.units !== 'mm' || !isObject(properties.boundingBox)) return null;
  const { min, max } = properties.boundingBox;
  return isPoint(min) && isPoint(max) ? { min, max } : null;
}

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((each) => Number.isFinite(each));
