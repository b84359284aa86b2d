// Reads the exact bounding box of a model.
import { useMemo } from 'preact/hooks';
import { isObject } from '../shell/is-object.ts';
import { type Box, isPoint } from './space.ts';
import { useArtifactJson } from './use-artifact-json.ts';

/**
 * Returns the bounding box that the geometry kernel computed, in mm; null until it is read or if it cannot be. The box
 * of the triangles is slightly smaller where faces are round.
 */
export function useExactBox(artifactId: string | null): Box | null {
  const properties = useArtifactJson(artifactId);
  return useMemo(() => parseBoundingBox(properties), [properties]);
}

/** Returns the bounding box of a properties file; null if it has no valid one. */
export function parseBoundingBox(properties: unknown): Box | null {
  if (!isObject(properties) || properties.units !== 'mm' || !isObject(properties.boundingBox)) return null;
  const { min, max } = properties.boundingBox;
  return isPoint(min) && isPoint(max) ? { min, max } : null;
}
