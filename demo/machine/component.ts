// The components of the demo machine: parts that are modeled by code, and assemblies that place them.
import type { Shape3D } from 'replicad';
import type { DemoFile } from '../api.ts';
import type { Placement } from './placement.ts';

/** The material of a part: its density in kg/m³, and its color in sRGB from 0 to 255. */
export type Material = { name: string; density: number; color: Color };
export type Color = readonly [number, number, number];

type Common = {
  name: string;
  description: string;
  folder: string;
  /** The comment of the first version. */
  comment?: string;
  attachments?: () => DemoFile[];
};

export type Part = Common & {
  kind: 'model';
  material: Material;
  /** The color of its paint, if it differs from that of the material. */
  color?: Color;
  /** Models the part in mm; requires a started kernel. */
  shape: () => Shape3D;
  /** The first revision, if the part was changed since. */
  former?: Former;
};

/** The first revision of a part, and why the current one replaced it. */
export type Former = { shape: () => Shape3D; comment: string; change: string };

export type Assembly = Common & {
  kind: 'assembly';
  uses: readonly Use[];
};

/** A component with the places where an assembly uses it. A pinned use stays with the revision A. */
export type Use = { component: Component; placements: readonly Placement[]; pinned?: true };
export type Component = Part | Assembly;

/** Returns the components of an assembly, each once: what is used before what uses it, the assembly last. */
export function componentsOf(top: Component): Component[] {
  const found = new Set<Component>();
  const visit = (component: Component): void => {
    if (found.has(component)) return;
    if (component.kind === 'assembly') for (const use of component.uses) visit(use.component);
    found.add(component);
  };
  visit(top);
  return [...found];
}

/** Returns the number of assembly levels: 1 for an assembly of parts, 0 for a part. */
export function levelsOf(component: Component): number {
  if (component.kind === 'model') return 0;
  return 1 + Math.max(0, ...component.uses.map((use) => levelsOf(use.component)));
}

/** Returns the number of parts that an assembly consists of, each counted as often as it is used. */
export function quantityOf(component: Component): number {
  if (component.kind === 'model') return 1;
  return component.uses.reduce((sum, use) => sum + use.placements.length * quantityOf(use.component), 0);
}
