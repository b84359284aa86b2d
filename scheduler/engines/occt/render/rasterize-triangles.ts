import { coverRow, type FrameBuffer, packNormal } from './frame-buffer.ts';

/**
 * Rasterizes triangles into depth, normals and item ids of the frame buffer. Points are screen x, screen y (down) and
 * depth (larger is nearer). Each row of a triangle is one span, computed from the edge functions.
 */
export function rasterizeTriangles(
  buffer: FrameBuffer,
  points: Float32Array,
  normals: Float32Array,
  indices: Uint32Array,
  item: number,
): void {
  const { size, depth, normal, itemIds } = buffer;
  for (let t = 0; t < indices.length; t += 3) {
    const a = indices[t]! * 3;
    const b = indices[t + 1]! * 3;
    const c = indices[t + 2]! * 3;
    const ax = points[a]!;
    const ay = points[a + 1]!;
    const az = points[a + 2]!;
    const bx = points[b]! - ax;
    const by = points[b + 1]! - ay;
    const cx = points[c]! - ax;
    const cy = points[c + 1]! - ay;
    const area = bx * cy - cx * by;
    if (area === 0) continue;
    const bz = points[b + 2]! - az;
    const cz = points[c + 2]! - az;
    // Barycentric coordinates w0, w1, w2 belong to a, b, c; each changes by a constant from one sample to the next.
    const w1x = cy / area;
    const w1y = -cx / area;
    const w2x = -by / area;
    const w2y = bx / area;
    const w0x = -w1x - w2x;
    const top = Math.max(0, Math.ceil(ay + Math.min(0, by, cy) - 0.5));
    const bottom = Math.min(size - 1, Math.floor(ay + Math.max(0, by, cy) - 0.5));
    const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx) - 0.5));
    const right = Math.min(size - 1, Math.floor(ax + Math.max(0, bx, cx) - 0.5));
    const zx = w1x * bz + w2x * cz;
    const nx = normals[a]!;
    const ny = normals[a + 1]!;
    const nz = normals[a + 2]!;
    const n1x = normals[b]! - nx;
    const n1y = normals[b + 1]! - ny;
    const n1z = normals[b + 2]! - nz;
    const n2x = normals[c]! - nx;
    const n2y = normals[c + 1]! - ny;
    const n2z = normals[c + 2]! - nz;
    const flat = n1x === 0 && n1y === 0 && n1z === 0 && n2x === 0 && n2y === 0 && n2z === 0;
    const flatNormal = packNormal(nx, ny, nz);
    for (let y = top; y <= bottom; y++) {
      const px = left + 0.5 - ax;
      const py = y + 0.5 - ay;
      let w1 = w1x * px + w1y * py;
      let w2 = w2x * px + w2y * py;
      const w0 = 1 - w1 - w2;
      let start = 0;
      let end = right - left;
      if (w1x > 0) start = Math.max(start, Math.ceil(-w1 / w1x));
      else if (w1x < 0) end = Math.min(end, Math.floor(-w1 / w1x));
      else if (w1 < 0) continue;
      if (w2x > 0) start = Math.max(start, Math.ceil(-w2 / w2x));
      else if (w2x < 0) end = Math.min(end, Math.floor(-w2 / w2x));
      else if (w2 < 0) continue;
      if (w0x > 0) start = Math.max(start, Math.ceil(-w0 / w0x));
      else if (w0x < 0) end = Math.min(end, Math.floor(-w0 / w0x));
      else if (w0 < 0) continue;
      if (start > end) continue;
      coverRow(buffer, y, left + start, left + end);
      w1 += w1x * start;
      w2 += w2x * start;
      let z = az + w1 * bz + w2 * cz;
      const last = y * size + left + end;
      for (let at = y * size + left + start; at <= last; at++) {
        if (z > depth[at]!) {
          depth[at] = z;
          itemIds[at] = item;
          normal[at] = flat
            ? flatNormal
            : packNormal(nx + w1 * n1x + w2 * n2x, ny + w1 * n1y + w2 * n2y, nz + w1 * n1z + w2 * n2z);
        }
        z += zx;
        w1 += w1x;
        w2 += w2x;
      }
    }
  }
}
