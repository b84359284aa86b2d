// The gizmo of the placing stage: arrows and rings that move and rotate a part.
import { type Camera, Matrix4, Object3D, PerspectiveCamera, Quaternion, type Scene, Vector3 } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { UPRIGHT_TURN } from './placement-matrix.ts';

/** The steps in mm and degrees; 0 for none. The axes are those of the assembly or of the part. */
export type GizmoSettings = {
  mode: 'move' | 'turn';
  millimeters: number;
  degrees: number;
  axes: 'assembly' | 'part';
};

type GizmoEvents = {
  /** Something must be drawn again. */
  onChange: () => void;
  onStart: () => void;
  /** While the user drags; the movement since the start. */
  onDrag: (movement: Matrix4) => void;
  onEnd: () => void;
};

/**
 * Creates a gizmo. It receives a press before the camera does, and keeps it from the camera if it was hit; so it must be
 * created first.
 */
export function createPlacingGizmo(canvas: HTMLCanvasElement, scene: Scene, events: GizmoEvents) {
  const controls = new TransformControls(new PerspectiveCamera(), canvas);
  canvas.addEventListener('pointerdown', (event) => {
    if (controls.dragging) event.stopImmediatePropagation();
  });
  const proxy = new Object3D(); // what the gizmo moves
  scene.add(proxy, controls.getHelper());
  controls.space = 'local';
  controls.size = 0.8;
  let startInverse = new Matrix4();
  controls.addEventListener('change', events.onChange);
  controls.addEventListener('mouseDown', () => {
    startInverse = proxy.matrixWorld.clone().invert();
    events.onStart();
  });
  controls.addEventListener('objectChange', () => {
    proxy.updateMatrixWorld();
    events.onDrag(proxy.matrixWorld.clone().multiply(startInverse));
  });
  controls.addEventListener('mouseUp', events.onEnd);
  return {
    /** Shows the gizmo at the matrix of a part. */
    attach(matrix: Matrix4, { mode, millimeters, degrees, axes }: GizmoSettings): void {
      const rotation = new Quaternion();
      matrix.decompose(proxy.position, rotation, new Vector3());
      proxy.quaternion.copy(axes === 'part' ? rotation.multiply(UPRIGHT_TURN) : UPRIGHT_TURN);
      proxy.updateMatrixWorld();
      controls.setMode(mode === 'turn' ? 'rotate' : 'translate');
      controls.setTranslationSnap(millimeters > 0 ? millimeters / 1000 : null);
      controls.setRotationSnap(degrees > 0 ? (degrees * Math.PI) / 180 : null);
      controls.attach(proxy);
    },
    detach: (): void => void controls.detach(),
    setCamera(camera: Camera): void {
      controls.camera = camera;
    },
    dispose(): void {
      controls.detach();
      controls.dispose();
    },
  };
}
