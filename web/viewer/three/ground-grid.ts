// The grid on the ground of the placing stage.
import { type Box3, type Color, GridHelper, type Scene } from 'three';

const MIN_CELLS = 5; // from the origin to the farthest part
const EMPTY_REACH = 0.1; // of a stage without parts, in meters

/** Creates a grid that covers the parts; its cells are a power of ten. */
export function createGroundGrid(scene: Scene) {
  let grid: GridHelper | null = null;
  let shown = { cell: 0, cells: 0, color: '' };
  const remove = () => {
    grid?.removeFromParent();
    grid?.dispose();
  };
  return {
    /** Draws the grid for a box around all parts, unless it would be the same. */
    update(box: Box3, color: Color): void {
      const reach = box.isEmpty()
        ? EMPTY_REACH
        : Math.max(...box.min.toArray().map(Math.abs), ...box.max.toArray().map(Math.abs));
      const cell = 10 ** Math.floor(Math.log10(reach / MIN_CELLS));
      const cells = 2 * Math.ceil((reach * 1.5) / cell / 10) * 10; // in tens, so that it seldom changes
      const next = { cell, cells, color: color.getHexString() };
      if (next.cell === shown.cell && next.cells === shown.cells && next.color === shown.color) return;
      shown = next;
      remove();
      grid = new GridHelper(cell * cells, cells, color, color);
      for (const material of [grid.material].flat()) {
        material.transparent = true;
        material.opacity = 0.13;
        material.depthWrite = false;
      }
      scene.add(grid);
    },
    /** Extends a box by the grid. */
    addTo: (box: Box3): Box3 => (grid ? box.expandByObject(grid) : box),
    dispose: remove,
  };
}
