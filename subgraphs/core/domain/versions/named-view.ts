// Named views: what a 3D view shows, stored with a draft or version.
import { type FieldError, refuseFields } from '../errors.ts';

/** `paths` and `characters` limit the hidden and transparent parts of a view together. */
export const VIEW_LIMITS = { perVersion: 50, sections: 3, paths: 5_000, characters: 200_000 };

/** In mm, Z up. */
type Point = readonly number[];

/**
 * What a view shows. `height` is that of the visible region, in mm, of an orthographic camera; null: perspective. Paths
 * consist of the names of the nodes from the root of the model, percent-encoded and joined by slashes.
 */
export type Scene = {
  camera: { position: Point; target: Point; height: number | null };
  hidden: readonly string[];
  transparent: readonly string[];
  /** Section planes: each cuts away what is beyond `at` mm along an axis, or with `flipped` what is before it. */
  sections: readonly { axis: 'x' | 'y' | 'z'; at: number; flipped: boolean }[];
  /** How far the parts are moved apart, 0–1; null: they are not. */
  explode: number | null;
};

type Optional<T> = T | null | undefined;
type Section = Scene['sections'][number];

/** A scene as clients send it: omitted lists are empty, and omitted numbers null. */
export type SceneInput = {
  camera: Omit<Scene['camera'], 'height'> & { height?: Optional<number> };
  hidden?: Optional<Scene['hidden']>;
  transparent?: Optional<Scene['transparent']>;
  sections?: Optional<readonly (Omit<Section, 'flipped'> & { flipped?: Optional<boolean> })[]>;
  explode?: Optional<number>;
};

/** Returns a scene as it is stored. Throws `validation_failed` for wrong or too many values of the field `scene`. */
export function validateScene({ camera, ...input }: SceneInput): Scene {
  const height = camera.height ?? null;
  const explode = input.explode ?? null;
  const [hidden, transparent, sections] = [input.hidden ?? [], input.transparent ?? [], input.sections ?? []];
  const errors: FieldError[] = [];
  const check = (isValid: boolean, path: string, message: string) =>
    isValid || errors.push({ path: `/scene${path}`, message });
  check(isPoint(camera.position), '/camera/position', 'must be three numbers in mm');
  check(isPoint(camera.target), '/camera/target', 'must be three numbers in mm');
  check(height === null || (isLength(height) && height > 0), '/camera/height', 'must be positive');
  check(explode === null || (explode >= 0 && explode <= 1), '/explode', 'must be from 0 to 1');
  check(
    sections.length <= VIEW_LIMITS.sections,
    '/sections',
    `must have at most ${VIEW_LIMITS.sections} section planes`,
  );
  for (const [index, { at }] of sections.entries())
    check(isLength(at), `/sections/${index}/at`, 'must be a number in mm');
  const paths = [...hidden, ...transparent];
  check(
    paths.length <= VIEW_LIMITS.paths && paths.join('').length <= VIEW_LIMITS.characters,
    '',
    `must have at most ${VIEW_LIMITS.paths} paths with ${VIEW_LIMITS.characters} characters in all`,
  );
  if (errors.length > 0) refuseFields(errors);
  return {
    camera: { position: [...camera.position], target: [...camera.target], height },
    hidden: [...new Set(hidden)],
    transparent: [...new Set(transparent)],
    sections: sections.map(({ axis, at, flipped }) => ({ axis, at, flipped: flipped ?? false })),
    explode,
  };
}

const MAX_MM = 1e9;
const isLength = (value: number): boolean => Number.isFinite(value) && Math.abs(value) <= MAX_MM;
const isPoint = (point: Point): boolean => point.length === 3 && point.every(isLength);
