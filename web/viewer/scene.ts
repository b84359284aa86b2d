// Converts between the state of a 3D view and the scene of a named view.
import type { NamedViewFragment } from '../generated/operations.ts';
import type { ProductRow } from './product.ts';
import type { Point } from './space.ts';
import type { ViewState } from './view-state.ts';

export type Scene = NamedViewFragment['scene'];
/** The camera in mm, Z up; `height` is that of the visible region of an orthographic camera, else null. */
export type SceneCamera = { position: Point; target: Point; height: number | null };

/** Returns what the view shows. Parts are named by their paths. */
export function sceneOf(state: ViewState, camera: SceneCamera, rows: readonly ProductRow[]): Scene {
  const paths = partPaths(rows);
  const named = (parts: ReadonlySet<number>) => [...parts].sort((a, b) => a - b).map((row) => paths[row] ?? '');
  return {
    camera: { ...camera, position: [...camera.position], target: [...camera.target] },
    hidden: named(state.hidden),
    transparent: named(state.transparent),
    sections: state.cuts.map((cut) => ({ ...cut })),
    explode: state.explode,
  };
}

/** Returns the state of the view for a scene. Ignores parts that the model does not have. */
export function stateOf(
  { camera, hidden, transparent, sections, explode = null }: Scene,
  rows: readonly ProductRow[],
): Pick<ViewState, 'hidden' | 'transparent' | 'cuts' | 'explode' | 'parallel'> & { camera: SceneCamera } {
  const rowOf = new Map(partPaths(rows).map((path, row) => [path, row]));
  const found = (paths: readonly string[]) => new Set(paths.flatMap((path) => rowOf.get(path) ?? []));
  const height = camera.height ?? null;
  return {
    hidden: found(hidden),
    transparent: found(transparent),
    cuts: sections.map(({ axis, at, flipped }) => ({ axis, at, flipped })),
    explode,
    parallel: height !== null,
    camera: { position: toPoint(camera.position), target: toPoint(camera.target), height },
  };
}

/**
 * Returns the path of each row: the names of its ancestors below the root and its own, percent-encoded and joined by
 * slashes. Of siblings with the same name, the second has `#2` behind it, and so on.
 */
export function partPaths(rows: readonly Pick<ProductRow, 'level' | 'ident'>[]): string[] {
  const path: { text: string; children: Map<string, number> }[] = [];
  return rows.map(({ level, ident }) => {
    path.length = level - 1;
    const parent = path.at(-1);
    if (!parent) {
      path.push({ text: '', children: new Map() });
      return '';
    }
    const name = encodeURIComponent(ident);
    const count = (parent.children.get(name) ?? 0) + 1;
    parent.children.set(name, count);
    const own = count === 1 ? name : `${name}#${count}`;
    const text = parent.text === '' ? own : `${parent.text}/${own}`;
    path.push({ text, children: new Map() });
    return text;
  });
}

const toPoint = ([x = 0, y = 0, z = 0]: readonly number[]): Point => [x, y, z];
