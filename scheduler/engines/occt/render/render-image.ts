import type { Matrix, Vector } from '../product/matrix.ts';
import { type Mesh, meshArea } from '../product/mesh.ts';
import { type Colour, opacityOf, type Surface } from '../product/palette.ts';
import { ambientVisibility } from './ambient-occlusion.ts';
import { blendOver } from './blend-over.ts';
import { type Camera, cameraFrom, cameraRows, project } from './camera.ts';
import { drawLines } from './draw-lines.ts';
import { drawOutline } from './draw-outline.ts';
import { featureEdges } from './feature-edges.ts';
import { createFrameBuffer, type FrameBuffer } from './frame-buffer.ts';
import { rasterizeTriangles } from './rasterize-triangles.ts';
import { type RgbaImage, shade } from './shade.ts';

/** A mesh with its placement in the model (mm, Z up) and its surfaces by colour. */
export type RenderItem = { mesh: Mesh; matrix: Matrix; surfaces: Surface[] };

/**
 * Renders a model in an isometric view from the front right: shaded, with feature edges and outlines, on a transparent
 * square, on the CPU. Processes one item at a time, so memory does not grow with the number of placements. Of several
 * transparent surfaces behind each other, only the nearest is visible.
 */
export function renderImage(items: RenderItem[], size: number): RgbaImage {
  const camera = cameraFrom(FRONT_RIGHT);
  const buffer = createFrameBuffer(size * SAMPLES);
  const maxLength = items.reduce((length, { mesh }) => Math.max(length, mesh.positions.length, mesh.lines.length), 3);
  const points = new Float32Array(maxLength);
  const normals = new Float32Array(maxLength);
  const viewport = viewportOf(items, camera, points, buffer.size);
  const colours: Colour[] = [];
  const edges = new Map<Mesh, Float32Array>();
  const drawSurfaces = (target: FrameBuffer, isDrawn: (surface: Surface) => boolean) => {
    for (const { mesh, matrix, surfaces } of items) {
      const drawn = surfaces.filter(isDrawn);
      if (!drawn.length) continue;
      const rows = cameraRows(camera, matrix);
      toScreen(mesh.positions, rows, viewport, points);
      project(mesh.normals, rows, false, normals);
      for (const { colour, indices } of drawn)
        rasterizeTriangles(target, points, normals, indices, colours.push(colour));
    }
  };
  const drawEdges = (target: FrameBuffer, drawn: RenderItem[]) => {
    drawOutline(target, OUTLINE * SAMPLES, OUTLINE_GAP * target.size);
    for (const { mesh, matrix } of drawn) {
      const lines = edges.get(mesh) ?? featureEdges(mesh);
      edges.set(mesh, lines);
      toScreen(lines, cameraRows(camera, matrix), viewport, points);
      drawLines(target, points.subarray(0, lines.length), EDGE * SAMPLES, EDGE_BIAS * target.size);
    }
  };
  const finish = (target: FrameBuffer) =>
    shade(target, SAMPLES, ambientVisibility(target, SAMPLES, OCCLUSION_RADIUS * size), colours);
  drawSurfaces(buffer, (surface) => !isTransparent(surface));
  const clear = items.filter(({ surfaces }) => surfaces.some(isTransparent));
  const front = clear.length ? createFrameBuffer(buffer.size) : null;
  front?.depth.set(buffer.depth);
  drawEdges(buffer, items);
  const image = finish(buffer);
  if (!front) return image;
  drawSurfaces(front, isTransparent);
  drawEdges(front, clear);
  return blendOver(image, finish(front));
}

const isTransparent = ({ colour }: Surface) => opacityOf(colour) < 1;

const FRONT_RIGHT: Vector = [1, -1, 1];
const SAMPLES = 3;
const MARGIN = 0.035;
// Line widths are in pixels, the other values are fractions of the image size.
const EDGE = 1.1;
const OUTLINE = 1.5;
const OUTLINE_GAP = 0.01;
const EDGE_BIAS = 0.004;
const OCCLUSION_RADIUS = 0.035;

// Maps camera coordinates to screen samples.
type Viewport = { x: number; y: number; z: number; scale: number; middle: number };

// Scales the extent of the items in camera space to the image and centers it.
function viewportOf(items: RenderItem[], camera: Camera, points: Float32Array, size: number): Viewport {
  const areas = new Map<Mesh, number>();
  const extents = items.map(({ mesh, matrix }) => {
    const area = areas.get(mesh) ?? meshArea(mesh);
    areas.set(mesh, area);
    project(mesh.positions, cameraRows(camera, matrix), true, points);
    return { area, ...extentOf(points, mesh.positions.length) };
  });
  const { low, high } = withoutSpecks(extents);
  const middle = (axis: number) => (low[axis]! + high[axis]!) / 2;
  const scale = (size * (1 - 2 * MARGIN)) / Math.max(widthOf({ low, high }), 1e-9);
  return { x: middle(0), y: middle(1), z: middle(2), scale, middle: size / 2 };
}

type Extent = { low: number[]; high: number[] };

function extentOf(points: Float32Array, length: number): Extent {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < length; i++) {
    const axis = i % 3;
    const value = points[i]!;
    if (value < low[axis]!) low[axis] = value;
    if (value > high[axis]!) high[axis] = value;
  }
  return { low, high };
}

const widthOf = ({ low, high }: Extent) => Math.max(high[0]! - low[0]!, high[1]! - low[1]!);
const join = (a: Extent, b: Extent): Extent => ({
  low: a.low.map((value, i) => Math.min(value, b.low[i]!)),
  high: a.high.map((value, i) => Math.max(value, b.high[i]!)),
});

// A small part far away, such as a forgotten sketch body, would make the model a speck itself. It is left outside the
// image if the items with nearly all of the area need much less space.
const MODEL_AREA = 0.99;
const MAX_SPREAD = 3;

function withoutSpecks(extents: (Extent & { area: number })[]): Extent {
  const all = extents.reduce<Extent>(join, extentOf(new Float32Array(), 0));
  const total = extents.reduce((sum, { area }) => sum + area, 0);
  const largest = extents.reduce((found, extent) => (extent.area > found.area ? extent : found), extents[0]!);
  const distance = (extent: Extent) => widthOf(join(extent, largest));
  const byDistance = [...extents].sort((a, b) => distance(a) - distance(b));
  let model: Extent = largest;
  let area = 0;
  for (const extent of byDistance) {
    if (area >= MODEL_AREA * total) break;
    model = join(model, extent);
    area += extent.area;
  }
  return widthOf(all) > MAX_SPREAD * widthOf(model) ? model : all;
}

// Transforms points to screen samples: x to the right, y down, and depth in the same unit.
function toScreen(
  source: Float32Array,
  rows: ReturnType<typeof cameraRows>,
  { x, y, z, scale, middle }: Viewport,
  out: Float32Array,
): void {
  project(source, rows, true, out);
  for (let i = 0; i < source.length; i += 3) {
    out[i] = (out[i]! - x) * scale + middle;
    out[i + 1] = middle - (out[i + 1]! - y) * scale;
    out[i + 2] = (out[i + 2]! - z) * scale;
  }
}
