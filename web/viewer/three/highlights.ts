// Highlights faces and edges of the meshes of a stage.
import { type Color, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, type Object3D } from 'three';
import type { FoundEntity } from './placing-shape.ts';

/** Shows the picked faces and edges, and the one under the pointer. Calls `draw` after changes. */
export function createHighlights(draw: () => void) {
  const faceMaterial = new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthTest: true });
  faceMaterial.polygonOffset = true;
  faceMaterial.polygonOffsetFactor = -1;
  const lineMaterial = new LineBasicMaterial({ depthTest: false });
  let picked: Object3D[] = [];
  let hovered: Object3D | null = null;

  const create = (mesh: Mesh, { highlight: { kind, geometry } }: FoundEntity): Object3D => {
    const object = kind === 'face' ? new Mesh(geometry, faceMaterial) : new Line(geometry, lineMaterial);
    object.renderOrder = 1;
    mesh.add(object);
    object.updateMatrixWorld(true);
    return object;
  };
  return {
    /** Highlights what is under the pointer; null: nothing. */
    hover(under: { mesh: Mesh; found: FoundEntity } | null): void {
      hovered?.removeFromParent();
      hovered = under && create(under.mesh, under.found);
      draw();
    },
    pick(mesh: Mesh, found: FoundEntity): void {
      hovered?.removeFromParent();
      hovered = null;
      picked.push(create(mesh, found));
      draw();
    },
    /** Removes all highlights except those of the last `keep` picks. */
    clear(keep = 0): void {
      const kept = keep > 0 ? picked.slice(-keep) : [];
      for (const object of picked) if (!kept.includes(object)) object.removeFromParent();
      picked = kept;
      hovered?.removeFromParent();
      hovered = null;
      draw();
    },
    setColor(color: Color): void {
      faceMaterial.color.copy(color);
      lineMaterial.color.copy(color);
    },
    dispose(): void {
      faceMaterial.dispose();
      lineMaterial.dispose();
    },
  };
}
