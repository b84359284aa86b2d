// A section plane with hatched caps.
import {
  AlwaysDepth,
  AlwaysStencilFunc,
  BackSide,
  type Camera,
  CanvasTexture,
  type Color,
  DecrementWrapStencilOp,
  DoubleSide,
  FrontSide,
  IncrementWrapStencilOp,
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
import { type Axis, DIRECTIONS } from '../space.ts';
import { LAYERS } from './load-model.ts';

/** A section plane at `at` mm along a design axis. Cuts away the part beyond it, or with `flipped` the part before it. */
export type Cut = { axis: Axis; at: number; flipped: boolean };

/**
 * Creates a section plane and its caps. The stencil buffer counts, for each pixel of the plane, the walls seen from
 * inside minus the walls seen from outside behind it; a pixel with a non-zero count is inside a body.
 */
export function createSection(radius: number) {
  const plane = new Plane();
  const lookTarget = new Vector3();
  const back = createStencilMaterial('back');
  const front = createStencilMaterial('front');
  const hatch = createHatch(radius);
  const cap = new Mesh(new PlaneGeometry(radius * 4, radius * 4), hatch.material);
  const capScene = new Scene();
  capScene.add(cap);
  return {
    plane,
    setCut({ axis, at, flipped }: Cut, center: Vector3): void {
      const [x, y, z] = DIRECTIONS[axis];
      const side = flipped ? 1 : -1;
      plane.normal.set(x * side, y * side, z * side);
      plane.constant = (-at / 1000) * side;
      plane.projectPoint(center, cap.position);
      cap.lookAt(lookTarget.copy(cap.position).sub(plane.normal));
    },
    setColors: hatch.setColors,
    /** Fills the stencil buffer; call before drawing the model, with the plane clipping. */
    drawStencil(renderer: WebGLRenderer, scene: Scene, camera: Camera): void {
      camera.layers.set(LAYERS.bodies);
      for (const material of [back, front]) {
        scene.overrideMaterial = material;
        renderer.render(scene, camera);
      }
      scene.overrideMaterial = null;
    },
    /** Draws the caps; call after drawing the model, without clipping. */
    drawCap: (renderer: WebGLRenderer, camera: Camera): void => renderer.render(capScene, camera),
    dispose(): void {
      cap.geometry.dispose();
      for (const each of [back, front, hatch.material]) each.dispose();
      hatch.material.map?.dispose();
    },
  };
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

function createHatch(radius: number): { material: MeshBasicMaterial; setColors(ground: Color, line: Color): void } {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = TILE;
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.repeat.setScalar((radius * 4) / (radius / 16));
  texture.anisotropy = 4;
  const material = new MeshBasicMaterial({
    map: texture,
    side: DoubleSide,
    stencilWrite: true,
    stencilRef: 0,
    stencilFunc: NotEqualStencilFunc,
    stencilFail: ReplaceStencilOp,
    stencilZFail: ReplaceStencilOp,
    stencilZPass: ReplaceStencilOp,
  });
  const setColors = (ground: Color, line: Color) => {
    const pen = canvas.getContext('2d');
    if (!pen) return;
    pen.fillStyle = `#${ground.getHexString()}`;
    pen.fillRect(0, 0, TILE, TILE);
    pen.strokeStyle = `#${line.getHexString()}`;
    pen.lineWidth = 2.5;
    pen.beginPath();
    for (const shift of [-TILE, 0, TILE]) {
      pen.moveTo(shift, TILE);
      pen.lineTo(shift + TILE, 0);
    }
    pen.stroke();
    texture.needsUpdate = true;
  };
  return { material, setColors };
}
