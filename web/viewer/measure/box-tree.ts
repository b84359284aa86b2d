// A bounding volume hierarchy: finds the items along a ray without testing each of them.

type Triple = readonly [number, number, number];
/** A ray: the points `from` + t · `along` for 0 ≤ t ≤ `reach`. */
export type Ray = { from: Triple; along: Triple; reach: number };
/** The radius of a ray at t: `start` + t · `growth`, in model units. */
export type RayWidth = { start: number; growth: number };

/**
 * Inner nodes (`count` 0) have their children at `first` and `first` + 1; leaves have `count` items, in `items` from
 * index `first`.
 */
export type BoxTree = { boxes: Float32Array; first: Int32Array; count: Int32Array; items: Int32Array };

const LEAF_SIZE = 6;
const YIELD_EVERY = 20_000;
const MAX_DEPTH = 64;

/**
 * Builds the tree from the boxes of its items (six numbers each: minimum corner, maximum corner). Yields every fraction
 * of a millisecond, so the caller can do other work; a million items take about half a second.
 */
export function* buildBoxTree(itemBoxes: Float32Array): Generator<void, BoxTree> {
  const total = itemBoxes.length / 6;
  const items = new Int32Array(total).map((_, index) => index);
  const maxNodes = Math.max(1, total * 2 - 1);
  const tree = {
    boxes: new Float32Array(maxNodes * 6),
    first: new Int32Array(maxNodes),
    count: new Int32Array(maxNodes),
    items,
  };
  const pending = [{ node: 0, start: 0, end: total, depth: 0 }];
  let nodes = 1;
  let done = 0;
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, start, end, depth } = next;
    const { axis, middle } = setNodeBox(tree, node, itemBoxes, start, end);
    const half = end - start <= LEAF_SIZE ? end : partition(items, itemBoxes, start, end, axis, middle, depth);
    if (half === end) {
      tree.first[node] = start;
      tree.count[node] = end - start;
    } else {
      tree.first[node] = nodes;
      pending.push(
        { node: nodes + 1, start: half, end, depth: depth + 1 },
        { node: nodes, start, end: half, depth: depth + 1 },
      );
      nodes += 2;
    }
    done += end - start;
    if (done > YIELD_EVERY) {
      done = 0;
      yield;
    }
  }
  return {
    boxes: tree.boxes.slice(0, nodes * 6),
    first: tree.first.slice(0, nodes),
    count: tree.count.slice(0, nodes),
    items,
  };
}

/** Sets the box of a node; returns the axis with the largest spread of box centers and the middle of that spread. */
function setNodeBox(
  { boxes, items }: BoxTree,
  node: number,
  itemBoxes: Float32Array,
  start: number,
  end: number,
): { axis: number; middle: number } {
  const box = node * 6;
  const lowest = [Infinity, Infinity, Infinity] as [number, number, number];
  const highest = [-Infinity, -Infinity, -Infinity] as [number, number, number];
  for (let axis = 0; axis < 3; axis++) {
    boxes[box + axis] = Infinity;
    boxes[box + 3 + axis] = -Infinity;
  }
  for (let index = start; index < end; index++) {
    const at = (items[index] as number) * 6;
    for (let axis = 0; axis < 3; axis++) {
      const from = itemBoxes[at + axis] as number;
      const to = itemBoxes[at + 3 + axis] as number;
      if (from < (boxes[box + axis] as number)) boxes[box + axis] = from;
      if (to > (boxes[box + 3 + axis] as number)) boxes[box + 3 + axis] = to;
      if (from + to < (lowest[axis] as number)) lowest[axis] = from + to;
      if (from + to > (highest[axis] as number)) highest[axis] = from + to;
    }
  }
  const spread = (axis: 0 | 1 | 2) => highest[axis] - lowest[axis];
  const longerOfFirst = spread(0) >= spread(1) ? 0 : 1;
  const axis = spread(longerOfFirst) >= spread(2) ? longerOfFirst : 2;
  return { axis, middle: (lowest[axis] + highest[axis]) / 2 };
}

/**
 * Moves items before `middle` (twice the box center) to the front; returns the index of the first other item. Halves
 * the list if that separates nothing or the tree is too deep.
 */
function partition(
  items: Int32Array,
  itemBoxes: Float32Array,
  start: number,
  end: number,
  axis: number,
  middle: number,
  depth: number,
): number {
  let front = start;
  for (let index = start; index < end; index++) {
    const item = items[index] as number;
    if ((itemBoxes[item * 6 + axis] as number) + (itemBoxes[item * 6 + 3 + axis] as number) >= middle) continue;
    items[index] = items[front] as number;
    items[front++] = item;
  }
  return front === start || front === end || depth > MAX_DEPTH ? (start + end) >> 1 : front;
}

/** Calls `visit` for each item whose box the ray meets, nearer boxes first. `visit` may shorten the ray's reach. */
export function visitAlongRay(
  { boxes, first, count, items }: BoxTree,
  ray: Ray,
  visit: (item: number) => void,
  width: RayWidth = ZERO_WIDTH,
): void {
  const nodes = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!(entryDistance(boxes, node * 6, ray, width) < ray.reach)) continue;
    const from = first[node] as number;
    const itemCount = count[node] as number;
    if (itemCount === 0 && items.length > 0) {
      const [near, far] =
        entryDistance(boxes, from * 6, ray, width) <= entryDistance(boxes, from * 6 + 6, ray, width)
          ? [from, from + 1]
          : [from + 1, from];
      nodes.push(far, near);
    }
    for (let index = from; index < from + itemCount; index++) visit(items[index] as number);
  }
}

const ZERO_WIDTH: RayWidth = { start: 0, growth: 0 };

/** The t at which a ray enters a box, widened by the ray's radius at the far end of the box; infinite on a miss. */
function entryDistance(boxes: Float32Array, at: number, { from, along }: Ray, width: RayWidth): number {
  let radius = width.start;
  if (width.growth > 0) {
    let [t, length] = [0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const step = along[axis] as number;
      t += ((boxes[at + axis + (step > 0 ? 3 : 0)] as number) - (from[axis] as number)) * step;
      length += step * step;
    }
    radius += width.growth * Math.max(0, t / length);
  }
  let [enters, leaves] = [0, Infinity];
  for (let axis = 0; axis < 3; axis++) {
    const start = from[axis] as number;
    const step = along[axis] as number;
    const low = (boxes[at + axis] as number) - radius;
    const high = (boxes[at + 3 + axis] as number) + radius;
    if (step === 0) {
      if (start < low || start > high) return Infinity;
      continue;
    }
    const one = (low - start) / step;
    const other = (high - start) / step;
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return enters <= leaves * (1 + 1e-9) ? enters : Infinity;
}
