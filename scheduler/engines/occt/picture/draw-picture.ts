import type { Matrix, Vector } from '../matrix.ts';
import type { Colour } from '../palette.ts';
import type { Mesh } from '../tessellate.ts';
import { openness } from './ambient-occlusion.ts';
import { type Camera, cameraFrom, cameraRows, project } from './camera.ts';
import { emptyCanvas } from './canvas.ts';
import { drawLines } from './draw-lines.ts';
import { drawOutline } from './draw-outline.ts';
import { featureEdges } from './feature-edges.ts';
import { fillTriangles } from './fill-triangles.ts';
import { type Picture, shade } from './shade.ts';

/** A mesh as it stands in the model (mm, Z up) and its colour. */
export type PictureItem = { mesh: Mesh; matrix: Matrix; tint: Colour };

/**
 * Draws a model as engineers do: isometric from front right, shaded, with feature edges and outlines, on a transparent square background. No GPU,
 * browser or native module; one item is in hand at a time, so memory does not grow with the number of placements.
 */
export function drawPicture(items: PictureItem[], size: number): Picture {
  const camera = cameraFrom(FRONT_RIGHT);
  const canvas = emptyCanvas(size * SAMPLES);
  const largest = items.reduce((length, { mesh }) => Math.max(length, mesh.positions.length, mesh.lines.length), 3);
  const points = new Float32Array(largest);
  const normals = new Float32Array(largest);
  const frame = frameOf(items, camera, points, canvas.size);
  items.forEach(({ mesh, matrix }, id) => {
    const rows = cameraRows(camera, matrix);
    toScreen(mesh.positions, rows, frame, points);
    project(mesh.normals, rows, false, normals);
    fillTriangles(canvas, points, normals, mesh.indices, id + 1);
  });
  drawOutline(canvas, OUTLINE * SAMPLES, OUTLINE_GAP * canvas.size);
  const edges = new Map<Mesh, Float32Array>();
  for (const { mesh, matrix } of items) {
    const lines = edges.get(mesh) ?? featureEdges(mesh);
    edges.set(mesh, lines);
    toScreen(lines, cameraRows(camera, matrix), frame, points);
    drawLines(canvas, points.subarray(0, lines.length), EDGE * SAMPLES, EDGE_BIAS * canvas.size);
  }
  const sky = openness(canvas, SAMPLES, OCCLUSION_REACH * size);
  return shade(
    canvas,
    SAMPLES,
    sky,
    items.map(({ tint }) => tint),
  );
}

const FRONT_RIGHT: Vector = [1, -1, 1];
const SAMPLES = 3;
const MARGIN = 0.035;
// Widths in pixels; reaches and steps in depth as shares of the picture's side.
const EDGE = 1.1;
const OUTLINE = 1.5;
const OUTLINE_GAP = 0.01;
const EDGE_BIAS = 0.004;
const OCCLUSION_REACH = 0.035;

type Frame = { x: number; y: number; z: number; scale: number; middle: number };

// The extent of everything in the camera's space decides the scale; the picture is centred on it.
function frameOf(items: PictureItem[], camera: Camera, points: Float32Array, size: number): Frame {
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

// Screen samples: x to the right, y down, and a depth in the same unit.
function toScreen(
  source: Float32Array,
  rows: ReturnType<typeof cameraRows>,
  { x, y, z, scale, middle }: Frame,
  out: Float32Array,
): void {
  project(source, rows, true, out);
  for (let i = 0; i < source.length; i += 3) {
    out[i] = (out[i]! - x) * scale + middle;
    out[i + 1] = middle - (out[i + 1]! - y) * scale;
    out[i + 2] = (out[i + 2]! - z) * scale;
  }
}
