// Reads the exact bounding box and the warnings of a model.
import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { isObject } from '../shell/is-object.ts';
import type { Box, Point } from './space.ts';

/** What the page shows of a properties file: the exact bounding box in mm, and the warnings of the conversion. */
export type ModelProperties = { box: Box | null; warnings: readonly string[] };

const NONE: ModelProperties = { box: null, warnings: [] };

/**
 * Reads the properties that the geometry kernel computed; empty until they are read or if they cannot be. The box of the
 * triangles is slightly smaller where faces are round.
 */
export function useProperties(artifactId: string | null): ModelProperties {
  const [properties, setProperties] = useState(NONE);
  useEffect(() => {
    setProperties(NONE);
    if (!artifactId) return;
    const controller = new AbortController();
    restRequest(`/artifacts/${artifactId}/file`, { signal: controller.signal })
      .then((response) => response.json())
      .then((read: unknown) => setProperties({ box: parseBoundingBox(read), warnings: parseWarnings(read) }))
      .catch(() => setProperties(NONE)); // the box of the triangles is good enough
    return () => controller.abort();
  }, [artifactId]);
  return properties;
}

/** Returns the bounding box of a properties file; null if it has no valid one. */
export function parseBoundingBox(properties: unknown): Box | null {
  if (!isObject(properties) || properties.units !== 'mm' || !isObject(properties.boundingBox)) return null;
  const { min, max } = properties.boundingBox;
  return isPoint(min) && isPoint(max) ? { min, max } : null;
}

/** Returns the messages of the warnings in a properties file. */
export function parseWarnings(properties: unknown): string[] {
  if (!isObject(properties) || !Array.isArray(properties.warnings)) return [];
  return properties.warnings.flatMap((warning: unknown) =>
    isObject(warning) && typeof warning.message === 'string' ? [warning.message] : [],
  );
}

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 3 && value.every((each) => Number.isFinite(each));
