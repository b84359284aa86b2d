// Which place near the pointer is meant: a vertex rather than the middle of an edge, that rather than the edge, and the face only where none is near.
import { weld } from '../feature-edges.ts';
import type { Point } from '../space.ts';
import { away, dot, minus, unit } from './vector.ts';

/** What a place that is taken lies on; `cut` is the face that a section shows, `crossing` where it cuts an edge. */
export type On = 'vertex' | 'crossing' | 'middle' | 'edge' | 'face' | 'cut';

/**
 * The edges of a mesh: six figures each, from one end to the other. `vertices`: for both ends 1 where the edge is over, 0 where a curve goes on with its next
 * chord. `middles`: 1 for a straight edge, whose middle may be taken, 0 for the chord of a curve.
 */
export type Edges = { lines: Float32Array; vertices: Uint8Array; middles: Uint8Array };

const BEND = Math.cos(Math.PI / 6); // chords of a curve turn less than this from one to the next
const STRAIGHT = 1 - 1e-9;

/**
 * The edges of a mesh from its lines (pairs of points, six figures each). Pieces of one straight line are joined where nothing else begins. What goes on
 * at an end with a slight bend is a chord, unless it is more than twice as long as what it goes on with: then a straight edge runs into an arc. Linear.
 */
export function edgesOf(lines: Float32Array): Edges {
  const joined = joinStraight(lines);
  const piece = piecesOf(joined);
  const vertices = Uint8Array.from({ length: joined.length / 3 }, (_, end) => (piece.goesOn(end) ? 0 : 1));
  const middles = Uint8Array.from({ length: joined.length / 6 }, (_, at) =>
    vertices[at * 2] && vertices[at * 2 + 1] ? 1 : 0,
  );
  return { lines: joined, vertices, middles };
}

/** Ends are counted: piece 0 has the ends 0 and 1, piece 1 the ends 2 and 3. */
function piecesOf(lines: Float32Array) {
  const places = weld(lines);
  const ends = new Uint8Array(places.length); // how many ends lie at a place, and the sum of their numbers
  const sums = new Float64Array(places.length);
  for (const [end, place] of places.entries()) {
    ends[place] = Math.min(3, (ends[place] as number) + 1);
    sums[place] = (sums[place] as number) + end;
  }
  const at = (end: number): Point => pointIn(lines, end * 3);
  const long = (end: number): number => away(at(end), at(end ^ 1));
  /** The one other end at the place of an end; -1 where there is none, or several. */
  const next = (end: number): number => {
    const place = places[end] as number;
    return ends[place] === 2 && (sums[place] as number) - end !== (end ^ 1) ? (sums[place] as number) - end : -1;
  };
  /** How straight the line goes on from one end to another at the same place: 1 for one line, 0 for a right angle. */
  const bend = (end: number, other: number): number =>
    dot(unit(minus(at(end), at(end ^ 1))), unit(minus(at(other ^ 1), at(other))));
  const goesOn = (end: number): boolean => {
    const other = next(end);
    return other >= 0 && bend(end, other) > BEND && long(end) <= 2 * long(other);
  };
  return { at, next, bend, goesOn };
}

function joinStraight(lines: Float32Array): Float32Array {
  const piece = piecesOf(lines);
  const total = lines.length / 6;
  const done = new Uint8Array(total);
  /** Follows a straight line over an end to where it is over. */
  const last = (end: number): Point => {
    let over = end;
    for (;;) {
      const other = piece.next(over);
      if (other < 0 || done[other >> 1] || piece.bend(over, other) < STRAIGHT) return piece.at(over);
      done[other >> 1] = 1;
      over = other ^ 1;
    }
  };
  const joined: number[] = [];
  for (let at = 0; at < total; at++) {
    if (done[at]) continue;
    done[at] = 1;
    joined.push(...last(at * 2), ...last(at * 2 + 1));
  }
  return Float32Array.from(joined);
}

/** The point at a place of a list of figures. */
export const pointIn = (figures: ArrayLike<number>, at: number): Point => [
  figures[at] as number,
  figures[at + 1] as number,
  figures[at + 2] as number,
];

/** Something near the pointer: how far from it in pixels, how deep in the picture. */
export type Candidate<Place> = { on: Exclude<On, 'face' | 'cut'>; pixels: number; depth: number; place: Place };

const RANK = { vertex: 0, crossing: 0, middle: 1, edge: 2 };

/** The candidates in the order in which they are meant: vertices, middles, edges; of each the nearest to the pointer, of those at one place (half a pixel) the foremost. */
export function inOrder<Place>(candidates: readonly Candidate<Place>[]): Candidate<Place>[] {
  const step = ({ pixels }: Candidate<Place>) => Math.round(pixels * 2);
  return candidates.toSorted((a, b) => RANK[a.on] - RANK[b.on] || step(a) - step(b) || a.depth - b.depth);
}

/** The part of the way from one end of a line in the picture to the other, 0 to 1, that lies nearest to a place of it. */
export function nearestPart(
  place: readonly [number, number],
  from: readonly [number, number],
  to: readonly [number, number],
): number {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const square = x * x + y * y;
  return square === 0 ? 0 : Math.min(1, Math.max(0, ((place[0] - from[0]) * x + (place[1] - from[1]) * y) / square));
}
