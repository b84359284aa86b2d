// A section plane. Each part is capped in its own color, with a hatch of its own and a dark outline.
import {
  AlwaysDepth,
  AlwaysStencilFunc,
  BackSide,
  Box3,
  BufferGeometry,
  type Camera,
  CanvasTexture,
  Color,
  DecrementWrapStencilOp,
  DoubleSide,
  Float32BufferAttribute,
  FrontSide,
  IncrementWrapStencilOp,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  Plane,
  PlaneGeometry,
  RepeatWrapping,
  ReplaceStencilOp,
  Scene,
  SRGBColorSpace,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { sliceMesh } from '../mesh.ts';
import { DIRECTIONS } from '../space.ts';
import type { Cut } from '../view-state.ts';
import { isVisible } from './bodies.ts';
import { readTriangles } from './geometry.ts';
import { type Body, LAYERS, type Model, trianglesOf } from './load-model.ts';
import { pointOf } from './point-of.ts';

/** Meshes that are capped together: those of a part, or of all parts of a color if too many are cut. */
type Solid = { meshes: Mesh[]; color: Color };

const MAX_SOLIDS = 200;
const MAX_OUTLINED_TRIANGLES = 1_000_000;
const HATCH_DEGREES = [0, 90, 30, 120];

/**
 * Creates a section plane and its caps. For each part, the stencil buffer counts, at each pixel of the plane, the walls
 * seen from inside minus the walls seen from outside behind it; a pixel with a non-zero count is inside the part.
 */
export function createSection(model: Model, radius: number) {
  const plane = new Plane();
  const lookTarget = new Vector3();
  const back = createStencilMaterial('back');
  const front = createStencilMaterial('front');
  const hatch = createHatch(radius);
  const cap = new Mesh(new PlaneGeometry(radius * 4, radius * 4), hatch.materials[0]);
  const capScene = new Scene();
  capScene.add(cap);
  const outline = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
  outline.frustumCulled = false;
  const outlineScene = new Scene();
  outlineScene.add(outline);
  const parts = [...Map.groupBy(model.bodies, ({ row }) => row).values()];
  let cutSolids: readonly Solid[] = [];

  return {
    plane,
    /** Moves the plane; call also after parts were hidden, shown or moved. */
    setCut({ axis, at, flipped }: Cut, center: Vector3, tints: boolean): void {
      const [x, y, z] = DIRECTIONS[axis];
      const side = flipped ? 1 : -1;
      plane.normal.set(x * side, y * side, z * side);
      plane.constant = (-at / 1000) * side;
      plane.projectPoint(center, cap.position);
      cap.lookAt(lookTarget.copy(cap.position).sub(plane.normal));
      const cut = parts.flatMap((bodies) => {
        const meshes = bodies.map(({ mesh }) => mesh).filter(isVisible);
        return meshes.some((mesh) => isCut(mesh, plane)) ? [{ meshes, color: colorOf(bodies, tints) }] : [];
      });
      cutSolids = cut.length > MAX_SOLIDS ? mergeColors(cut) : cut;
      outline.geometry.dispose();
      outline.geometry = outlineOf(cut, plane, radius);
    },
    setColor(line: Color): void {
      hatch.setColor(line);
      outline.material.color.copy(line);
    },
    /** Draws the caps, as far as the other planes keep them; call after drawing the model. */
    drawCaps(renderer: WebGLRenderer, camera: Camera, others: Plane[]): void {
      for (const [index, { meshes, color }] of cutSolids.entries()) {
        renderer.clearStencil();
        renderer.clippingPlanes = [plane];
        camera.layers.set(LAYERS.bodies);
        for (const material of [back, front]) for (const mesh of meshes) drawWith(renderer, camera, mesh, material);
        renderer.clippingPlanes = others;
        camera.layers.enableAll();
        const capMaterial = hatch.materials[index % hatch.materials.length];
        if (!capMaterial) continue;
        capMaterial.color.copy(color);
        cap.material = capMaterial;
        renderer.render(capScene, camera);
      }
      renderer.clippingPlanes = others;
      renderer.render(outlineScene, camera);
      renderer.clippingPlanes = [];
    },
    dispose(): void {
      cap.geometry.dispose();
      outline.geometry.dispose();
      outline.material.dispose();
      for (const each of [back, front]) each.dispose();
      hatch.dispose();
    },
  };
}

function drawWith(renderer: WebGLRenderer, camera: Camera, mesh: Mesh, material: MeshBasicMaterial): void {
  const plain = mesh.material;
  mesh.material = material;
  renderer.render(mesh, camera);
  mesh.material = plain;
}

/** Returns the color of the body with the most triangles: a part may have faces of several colors. */
function colorOf(bodies: readonly Body[], tints: boolean): Color {
  const size = ({ mesh }: Body) => trianglesOf(mesh.geometry);
  const largest = bodies.reduce((best, body) => (size(body) > size(best) ? body : best));
  const [material] = [(tints && largest.tinted) || largest.material].flat();
  return material && 'color' in material && material.color instanceof Color
    ? material.color.clone()
    : new Color(0x999999);
}

const mergeColors = (solids: readonly Solid[]): Solid[] =>
  [...Map.groupBy(solids, ({ color }) => color.getHex()).values()].map((same) => ({
    meshes: same.flatMap(({ meshes }) => meshes),
    color: same[0]?.color ?? new Color(),
  }));

function isCut({ geometry, matrixWorld }: Mesh, plane: Plane): boolean {
  geometry.boundingBox ?? geometry.computeBoundingBox();
  return (
    geometry.boundingBox !== null &&
    new Box3().copy(geometry.boundingBox).applyMatrix4(matrixWorld).intersectsPlane(plane)
  );
}

/** The lines in which the plane cuts the meshes, slightly in front of the caps. */
function outlineOf(solids: readonly Solid[], plane: Plane, radius: number): BufferGeometry {
  const meshes = solids.flatMap((solid) => solid.meshes).filter((mesh) => isCut(mesh, plane));
  const triangles = meshes.reduce((sum, { geometry }) => sum + trianglesOf(geometry), 0);
  const points: number[] = [];
  const shift = plane.normal.clone().multiplyScalar(-radius * 1e-4);
  const point = new Vector3();
  if (triangles <= MAX_OUTLINED_TRIANGLES)
    for (const { geometry, matrixWorld } of meshes) {
      const { normal, constant } = plane.clone().applyMatrix4(new Matrix4().copy(matrixWorld).invert());
      const lines = sliceMesh(readTriangles(geometry), pointOf(normal), constant);
      for (let at = 0; at < lines.length; at += 3) {
        point.fromArray(lines, at).applyMatrix4(matrixWorld).add(shift);
        points.push(point.x, point.y, point.z);
      }
    }
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
}

function createStencilMaterial(side: 'back' | 'front'): MeshBasicMaterial {
  const step = side === 'back' ? IncrementWrapStencilOp : DecrementWrapStencilOp;
  return new MeshBasicMaterial({
    side: side === 'back' ? BackSide : FrontSide,
    colorWrite: false,
    depthWrite: false,
    depthFunc: AlwaysDepth,
    stencilWrite: true,
    stencilFunc: AlwaysStencilFunc,
    stencilFail: step,
    stencilZFail: step,
    stencilZPass: step,
  });
}

const TILE = 32;

/** Materials with dark lines on white, which takes the color of the part; each has another angle. */
function createHatch(radius: number) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = TILE;
  const materials = HATCH_DEGREES.map((degrees) => {
    const map = new CanvasTexture(canvas);
    map.colorSpace = SRGBColorSpace;
    map.wrapS = map.wrapT = RepeatWrapping;
    map.repeat.setScalar((radius * 4) / (radius / 16));
    map.rotation = (degrees * Math.PI) / 180;
    map.anisotropy = 4;
    return new MeshBasicMaterial({
      map,
      side: DoubleSide,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      stencilFail: ReplaceStencilOp,
      stencilZFail: ReplaceStencilOp,
      stencilZPass: ReplaceStencilOp,
    });
  });
  return {
    materials,
    setColor(line: Color): void {
      const pen = canvas.getContext('2d');
      if (!pen) return;
      pen.globalAlpha = 1;
      pen.fillStyle = '#ffffff';
      pen.fillRect(0, 0, TILE, TILE);
      pen.globalAlpha = 0.5;
      pen.strokeStyle = `#${line.getHexString()}`;
      pen.lineWidth = 2;
      pen.beginPath();
      for (const shift of [-TILE, 0, TILE]) {
        pen.moveTo(shift, TILE);
        pen.lineTo(shift + TILE, 0);
      }
      pen.stroke();
      for (const { map } of materials) if (map) map.needsUpdate = true;
    },
    dispose(): void {
      for (const material of materials) {
        material.map?.dispose();
        material.dispose();
      }
    },
  };
}
