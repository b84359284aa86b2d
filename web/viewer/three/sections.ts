// The section planes of a stage. Together they keep what each of them keeps.
import type { Camera, Color, Plane, Vector3, WebGLRenderer } from 'three';
import type { Cut } from '../view-state.ts';
import type { Model } from './load-model.ts';
import { createSection } from './section.ts';

/** Creates the section planes of a model, which has the given radius. */
export function createSections(model: Model, center: Vector3, radius: number) {
  const sections: ReturnType<typeof createSection>[] = [];
  let cuts: readonly Cut[] = [];
  let color: Color | null = null;
  const active = () => sections.slice(0, cuts.length);
  return {
    get planes(): Plane[] {
      return active().map(({ plane }) => plane);
    },
    /** Moves the planes; `isModelChanged` if parts were hidden, shown, moved or colored. */
    setCuts(next: readonly Cut[], tints: boolean, isModelChanged: boolean): void {
      for (const [index, cut] of next.entries()) {
        const section = sections[index] ?? createSection(model, radius);
        if (!sections[index] && color) section.setColor(color);
        sections[index] = section;
        if (isModelChanged || cut !== cuts[index]) section.setCut(cut, center, tints);
      }
      cuts = next;
    },
    setColor(line: Color): void {
      color = line;
      for (const section of sections) section.setColor(line);
    },
    /** Draws the caps; call after drawing the model. */
    drawCaps(renderer: WebGLRenderer, camera: Camera): void {
      for (const section of active())
        section.drawCaps(
          renderer,
          camera,
          active()
            .filter((each) => each !== section)
            .map(({ plane }) => plane),
        );
    },
    dispose(): void {
      for (const section of sections) section.dispose();
    },
  };
}
