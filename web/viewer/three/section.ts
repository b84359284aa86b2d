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

/** Where a model is cut: at mm along a design axis; what lies beyond is taken away, or with `flipped` what lies before. */
export type Cut = { axis: Axis; at: number; flipped: boolean };

/**
 * A plane that cuts a model, with its cut faces drawn. Whether a point of the plane lies in a body is counted in the stencil buffer: walls seen from inside
 * less walls seen from outside, behind the plane.
 */
export function section(radius: number) {
  const plane = new Plane();
  const away = new Vector3();
  const back = counting('back');
  const front = counting('front');
  const hatch = hatching(radius);
  const cap = new Mesh(new PlaneGeometry(radius * 4, radius * 4), hatch.material);
  const capScene = new Scene();
  capScene.add(cap);
  return {
    plane,
    place({ axis, at, flipped }: Cut, middle: Vector3): void {
      const [x, y, z] = DIRECTIONS[axis];
      const side = flipped ? 1 : -1;
      plane.normal.set(x * side, y * side, z * side);
      plane.constant = (-at / 1000) * side;
      plane.projectPoint(middle, cap.position);
      cap.lookAt(away.copy(cap.position).sub(plane.normal));
    },
    colour: hatch.colour,
    /** Before the model is drawn, with the plane cutting. */
    count(renderer: WebGLRenderer, scene: Scene, camera: Camera): void {
      camera.layers.set(LAYERS.bodies);
      for (const material of [back, front]) {
        scene.overrideMaterial = material;
        renderer.render(scene, camera);
      }
      scene.overrideMaterial = null;
    },
    /** After the model is drawn, with nothing cutting. */
    drawCap: (renderer: WebGLRenderer, camera: Camera): void => renderer.render(capScene, camera),
    dispose(): void {
      cap.geometry.dispose();
      for (const each of [back, front, hatch.material]) each.dispose();
      hatch.material.map?.dispose();
    },
  };
}

function counting(side: 'back' | 'front'): MeshBasicMaterial {
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

function hatching(radius: number): { material: MeshBasicMaterial; colour(ground: Color, line: Color): void } {
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
  const colour = (ground: Color, line: Color) => {
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
  return { material, colour };
}
