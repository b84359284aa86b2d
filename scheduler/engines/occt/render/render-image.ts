import type { Matrix, Vector } from '../product/matrix.ts';
import type { Mesh } from '../product/mesh.ts';
import type { Colour, Surface } from '../product/palette.ts';
import { ambientVisibility } from './ambient-occlusion.ts';
import { type Camera, cameraFrom, cameraRows, project } from './camera.ts';
import { drawLines } from './draw-lines.ts';
import { drawOutline } from './draw-outline.ts';
import { featureEdges } from './feature-edges.ts';
import { createFrameBuffer } from './frame-buffer.ts';
import { rasterizeTriangles } from './rasterize-triangles.ts';
import { type RgbaImage, shade } from './shade.ts';

/** A mesh with its placement in the model (mm, Z up) and its surfaces by colour. */
export type RenderItem = { mesh: Mesh; matrix: Matrix; surfaces: Surface[] };

/**
 * Renders a model in an isometric view from the front right: shaded, with feature edges and outlines, on a transparent
 * square, on the CPU. Processes one item at a time, so memory does not grow with the number of placements.
 */
export function renderImage(items: RenderItem[], size: number): RgbaImage {
  const camera = cameraFrom(FRONT_RIGHT);
  const buffer = createFrameBuffer(size * SAMPLES);
  const maxLength = items.reduce((length, { mesh }) => Math.max(length, mesh.positions.length, mesh.lines.length), 3);
  const points = new Float32Array(maxLength);
  const normals = new Float32Array(maxLength);
  const viewport = viewportOf(items, camera, points, buffer.size);
  const colours: Colour[] = [];
  for (const { mesh, matrix, surfaces } of items) {
    const rows = cameraRows(camera, matrix);
    toScreen(mesh.positions, rows, viewport, points);
    project(mesh.normals, rows, false, normals);
    for (const { colour, indices } of surfaces)
      rasterizeTriangles(buffer, points, normals, indices, colours.push(colour));
  }
  drawOutline(buffer, OUTLINE * SAMPLES, OUTLINE_GAP * buffer.size);
  const edges = new Map<Mesh, Float32Array>();
  for (const { mesh, matrix } of items) {
    const lines = edges.get(mesh) ?? featureEdges(mesh);
    edges.set(mesh, lines);
    toScreen(lines, cameraRows(camera, matrix), viewport, points);
    drawLines(buffer, points.subarray(0, lines.length), EDGE * SAMPLES, EDGE_BIAS * buffer.size);
  }
  const ambient = ambientVisibility(buffer, SAMPLES, OCCLUSION_RADIUS * size);
  return shade(buffer, SAMPLES, ambient, colours);
}

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

// Scales the extent of all items in camera space to the image and centers it.
function viewportOf(items: RenderItem[], camera: Camera, points: Float32Array, size: number): Viewport {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { mesh, matrix } of items) {
    project(mesh.positions, cameraRows(camera, matrix), true, points);
    for (let i = 0; i < mesh.positions.length; i++) {
      const axis = i % 3;
      const value = points[i]!;
      if (value < low[axis]!) low[axis] = value;
      if (value > high[axis]!) high[axis] = value;
    }
  }
  const extent = Math.max(high[0]! - low[0]!, high[1]! - low[1]!, 1e-9);
  const middle = (axis: number) => (low[axis]! + high[axis]!) / 2;
  return { x: middle(0), y: middle(1), z: middle(2), scale: (size * (1 - 2 * MARGIN)) / extent, middle: size / 2 };
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
