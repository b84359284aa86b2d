// Decides which feature near the pointer is picked: vertices before midpoints, midpoints before edges, faces last.

import { distanceBetween, dot, minus, unit } from '../../../subgraphs/core/domain/measure/vector.ts';
import { weld } from '../feature-edges.ts';
import type { Point } from '../space.ts';

/**
 * The feature that a point is on. `center` is that of a circular edge, `cut` a face of the section plane, `crossing` a
 * point where it cuts an edge.
 */
export type Feature = 'vertex' | 'center' | 'crossing' | 'middle' | 'edge' | 'face' | 'cut';

/**
 * The edges of a mesh: `lines` has six numbers for each, from end to end. `vertices` is 1 for an end that is a vertex,
 * 0 where a curve continues with its next chord. `middles` is 1 for a straight edge with a midpoint, 0 for a chord.
 */
export type Edges = { lines: Float32Array; vertices: Uint8Array; middles: Uint8Array };

const MIN_CHORD_COSINE = Math.cos(Math.PI / 6); // consecutive chords of a curve turn by less than this
const MIN_COLLINEAR_COSINE = 1 - 1e-9;

/**
 * Returns the edges of a mesh from its lines (pairs of points, six numbers each). Joins collinear pieces where no other
 * line starts. An end that continues with a slight bend belongs to a chord, unless the line is more than twice as long
 * as the next one: then it is a straight edge that runs into an arc. Runs in linear time.
 */
export function edgesOf(lines: Float32Array): Edges {
  const joined = joinStraight(lines);
  const graph = connectLines(joined);
  const vertices = Uint8Array.from({ length: joined.length / 3 }, (_, end) => (graph.continues(end) ? 0 : 1));
  const middles = Uint8Array.from({ length: joined.length / 6 }, (_, at) =>
    vertices[at * 2] && vertices[at * 2 + 1] ? 1 : 0,
  );
  return { lines: joined, vertices, middles };
}

/**
 * Connects lines at their ends. Line 0 has the ends 0 and 1, line 1 the ends 2 and 3, and so on: `end ^ 1` is the other
 * end of the same line, `end >> 1` the line.
 */
function connectLines(lines: Float32Array) {
  const points = weld(lines);
  const ends = new Uint8Array(points.length); // how many ends are at a point; `sums` adds up their numbers
  const sums = new Float64Array(points.length);
  for (const [end, point] of points.entries()) {
    ends[point] = Math.min(3, (ends[point] as number) + 1);
    sums[point] = (sums[point] as number) + end;
  }
  const at = (end: number): Point => pointIn(lines, end * 3);
  const lengthOf = (end: number): number => distanceBetween(at(end), at(end ^ 1));
  /** The only other end at the point of an end; -1 if there is none or several. */
  const next = (end: number): number => {
    const point = points[end] as number;
    // of exactly two ends, their sum minus this end is the other; a line that returns to its start has no next one
    return ends[point] === 2 && (sums[point] as number) - end !== (end ^ 1) ? (sums[point] as number) - end : -1;
  };
  /** The cosine of the bend between two lines: 1 if they are collinear, 0 at a right angle. */
  const cosine = (end: number, other: number): number =>
    dot(unit(minus(at(end), at(end ^ 1))), unit(minus(at(other ^ 1), at(other))));
  const continues = (end: number): boolean => {
    const other = next(end);
    return other >= 0 && cosine(end, other) > MIN_CHORD_COSINE && lengthOf(end) <= 2 * lengthOf(other);
  };
  return { at, next, cosine, continues };
}

function joinStraight(lines: Float32Array): Float32Array {
  const graph = connectLines(lines);
  const total = lines.length / 6;
  const done = new Uint8Array(total);
  /** Follows a straight line from an end to its last point. */
  const lastPoint = (start: number): Point => {
    let end = start;
    for (;;) {
      const other = graph.next(end);
      if (other < 0 || done[other >> 1] || graph.cosine(end, other) < MIN_COLLINEAR_COSINE) return graph.at(end);
      done[other >> 1] = 1;
      end = other ^ 1;
    }
  };
  const joined: number[] = [];
  for (let at = 0; at < total; at++) {
    if (done[at]) continue;
    done[at] = 1;
    joined.push(...lastPoint(at * 2), ...lastPoint(at * 2 + 1));
  }
  return Float32Array.from(joined);
}

/** Returns the point at an offset of a coordinate list. */
export const pointIn = (coordinates: ArrayLike<number>, at: number): Point => [
  coordinates[at] as number,
  coordinates[at + 1] as number,
  coordinates[at + 2] as number,
];

/** A feature near the pointer: its distance in pixels and its depth. */
export type Candidate<Value> = {
  feature: Exclude<Feature, 'face' | 'cut'>;
  pixels: number;
  depth: number;
  value: Value;
};

const RANK = { vertex: 0, center: 0, crossing: 0, middle: 1, edge: 2 };

/** Sorts candidates by feature, then by distance (in steps of half a pixel), then by depth. */
export function rankCandidates<Value>(candidates: readonly Candidate<Value>[]): Candidate<Value>[] {
  const step = ({ pixels }: Candidate<Value>) => Math.round(pixels * 2);
  return candidates.toSorted((a, b) => RANK[a.feature] - RANK[b.feature] || step(a) - step(b) || a.depth - b.depth);
}
