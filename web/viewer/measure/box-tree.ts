// What lies along a line of sight, without asking each of a million things: boxes within boxes.

type Triple = readonly [number, number, number];
/** A line of sight: a place on it is `from` + t · `along`, 0 ≤ t ≤ `reach`. */
export type Ray = { from: Triple; along: Triple; reach: number };
/** How wide a line of sight is at t: `start` + t · `growth`, in lengths of the space it lies in. */
export type Width = { start: number; growth: number };

/** Inner nodes (`count` 0) have their two halves at `first` and the place behind it, leaves hold `count` things from the place `first` of `things` on. */
export type BoxTree = { boxes: Float32Array; first: Int32Array; count: Int32Array; things: Int32Array };

const LEAF = 6;
const AT_ONCE = 20_000;
const DEEPEST = 64;

/**
 * Builds the tree of things from their boxes (six figures each: lowest corner, highest corner). It stops every so often, a fraction of a millisecond apart, so
 * that who builds it may look after other things; a million things take about half a second.
 */
export function* boxTree(of: Float32Array): Generator<void, BoxTree> {
  const total = of.length / 6;
  const things = new Int32Array(total).map((_, thing) => thing);
  const most = Math.max(1, total * 2 - 1);
  const tree = { boxes: new Float32Array(most * 6), first: new Int32Array(most), count: new Int32Array(most), things };
  const waiting = [{ node: 0, start: 0, end: total, depth: 0 }];
  let nodes = 1;
  let done = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, start, end, depth } = next;
    const { axis, middle } = surround(tree, node, of, start, end);
    const half = end - start <= LEAF ? end : parted(things, of, start, end, axis, middle, depth);
    if (half === end) {
      tree.first[node] = start;
      tree.count[node] = end - start;
    } else {
      tree.first[node] = nodes;
      waiting.push(
        { node: nodes + 1, start: half, end, depth: depth + 1 },
        { node: nodes, start, end: half, depth: depth + 1 },
      );
      nodes += 2;
    }
    done += end - start;
    if (done > AT_ONCE) {
      done = 0;
      yield;
    }
  }
  return {
    boxes: tree.boxes.slice(0, nodes * 6),
    first: tree.first.slice(0, nodes),
    count: tree.count.slice(0, nodes),
    things,
  };
}

/** Sets the box of a node; answers where its things are parted: across the axis along which their middles lie farthest apart. */
function surround(
  { boxes, things }: BoxTree,
  node: number,
  of: Float32Array,
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
  for (let place = start; place < end; place++) {
    const at = (things[place] as number) * 6;
    for (let axis = 0; axis < 3; axis++) {
      const from = of[at + axis] as number;
      const to = of[at + 3 + axis] as number;
      if (from < (boxes[box + axis] as number)) boxes[box + axis] = from;
      if (to > (boxes[box + 3 + axis] as number)) boxes[box + 3 + axis] = to;
      if (from + to < (lowest[axis] as number)) lowest[axis] = from + to;
      if (from + to > (highest[axis] as number)) highest[axis] = from + to;
    }
  }
  const wide = (axis: 0 | 1 | 2) => highest[axis] - lowest[axis];
  const axis = wide(0) >= wide(1) && wide(0) >= wide(2) ? 0 : wide(1) >= wide(2) ? 1 : 2;
  return { axis, middle: (lowest[axis] + highest[axis]) / 2 };
}

/** Brings the things before the middle (sum of both corners) to the front; answers where the others begin. Where that parts nothing, or goes on too deep, the list is halved. */
function parted(
  things: Int32Array,
  of: Float32Array,
  start: number,
  end: number,
  axis: number,
  middle: number,
  depth: number,
): number {
  let front = start;
  for (let place = start; place < end; place++) {
    const thing = things[place] as number;
    if ((of[thing * 6 + axis] as number) + (of[thing * 6 + 3 + axis] as number) >= middle) continue;
    things[place] = things[front] as number;
    things[front++] = thing;
  }
  return front === start || front === end || depth > DEEPEST ? (start + end) >> 1 : front;
}

/** Calls `visit` for each thing whose box a line of sight meets, the nearer half first. `visit` may shorten the reach: what lies beyond is left out. */
export function alongRay(
  { boxes, first, count, things }: BoxTree,
  ray: Ray,
  visit: (thing: number) => void,
  width: Width = NARROW,
): void {
  const nodes = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!(entry(boxes, node * 6, ray, width) < ray.reach)) continue;
    const from = first[node] as number;
    const many = count[node] as number;
    if (many === 0 && things.length > 0) {
      const [near, far] =
        entry(boxes, from * 6, ray, width) <= entry(boxes, from * 6 + 6, ray, width)
          ? [from, from + 1]
          : [from + 1, from];
      nodes.push(far, near);
    }
    for (let place = from; place < from + many; place++) visit(things[place] as number);
  }
}

const NARROW: Width = { start: 0, growth: 0 };

/** The t at which a line of sight enters a box, widened by its width at the far end of the box; infinite when it does not. */
function entry(boxes: Float32Array, at: number, { from, along }: Ray, width: Width): number {
  let wider = width.start;
  if (width.growth > 0) {
    let [t, length] = [0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const step = along[axis] as number;
      t += ((boxes[at + axis + (step > 0 ? 3 : 0)] as number) - (from[axis] as number)) * step;
      length += step * step;
    }
    wider += width.growth * Math.max(0, t / length);
  }
  let [enters, leaves] = [0, Infinity];
  for (let axis = 0; axis < 3; axis++) {
    const place = from[axis] as number;
    const step = along[axis] as number;
    const low = (boxes[at + axis] as number) - wider;
    const high = (boxes[at + 3 + axis] as number) + wider;
    if (step === 0) {
      if (place < low || place > high) return Infinity;
      continue;
    }
    const one = (low - place) / step;
    const other = (high - place) / step;
    enters = Math.max(enters, Math.min(one, other));
    leaves = Math.min(leaves, Math.max(one, other));
  }
  return enters <= leaves * (1 + 1e-9) ? enters : Infinity;
}
