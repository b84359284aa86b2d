// Writes modeled parts as STEP files, the same bytes for the same part.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { exportSTEP, type Shape3D, setOC } from 'replicad';
import opencascade from 'replicad-opencascadejs';
import type { Color, Part } from './machine/component.ts';

/** Starts the geometry kernel, which models and writes parts. It takes a second and is needed once per process. */
export async function startKernel(): Promise<void> {
  const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('replicad-opencascadejs/wasm'));
  setOC(await opencascade({ wasmBinary, print: () => {}, printErr: () => {} }));
}

/** Returns the STEP file of a part, with its name, color, material and density. */
export async function writeStep(part: Part, shape: Shape3D): Promise<Uint8Array> {
  const text = await exportSTEP([{ shape, name: part.name, color: '#808080' }], { unit: 'MM' }).text();
  return new TextEncoder().encode(withMaterial(withColor(withHeader(text, part.name), part), part));
}

const HEADER_TIME = '2026-01-01T00:00:00';

function withHeader(step: string, name: string): string {
  const fileName = `FILE_NAME('${name}','${HEADER_TIME}',(''),(''),'','PDM demo','');`;
  return step.replace(/FILE_NAME\([^;]*;/, () => fileName);
}

// The kernel would convert the color from linear light with the precision of 8 bits, so its value is replaced.
function withColor(step: string, { material, color = material.color }: Part): string {
  const values = (color as Color).map((value) => (value / 255).toFixed(6)).join();
  return step.replace(/COLOUR_RGB\(''[^)]*\)/g, `COLOUR_RGB('',${values})`);
}

// As CAx-IF recommends: a property of the product definition with the name, and one with the density.
function withMaterial(step: string, { material }: Part): string {
  const product = find(step, /(#\d+) = PRODUCT_DEFINITION\(/);
  const context = find(step, /ADVANCED_BREP_SHAPE_REPRESENTATION\('',\([^)]*\),(#\d+)\)/);
  const next = Math.max(...Array.from(step.matchAll(/^#(\d+) =/gm), ([, id]) => Number(id))) + 1;
  const lines: string[] = [];
  const add = (statement: string): string => {
    lines.push(`#${next + lines.length} = ${statement};`);
    return `#${next + lines.length - 1}`;
  };
  const kilogram = add('( MASS_UNIT() NAMED_UNIT(*) SI_UNIT(.KILO.,.GRAM.) )');
  const meter = add('( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )');
  const factors = [add(`DERIVED_UNIT_ELEMENT(${kilogram},1.)`), add(`DERIVED_UNIT_ELEMENT(${meter},-3.)`)];
  const unit = add(`DERIVED_UNIT((${factors}))`);
  const addProperty = (kind: string, item: string) => {
    const property = add(`PROPERTY_DEFINITION('material property','${kind}',${product})`);
    const values = add(`REPRESENTATION('${kind}',(${item}),${context})`);
    add(`PROPERTY_DEFINITION_REPRESENTATION(${property},${values})`);
  };
  addProperty('material name', add(`DESCRIPTIVE_REPRESENTATION_ITEM('${material.name}','${material.name}')`));
  const density = `POSITIVE_RATIO_MEASURE(${material.density}.)`;
  addProperty('density', add(`MEASURE_REPRESENTATION_ITEM('density measure',${density},${unit})`));
  const end = step.lastIndexOf('ENDSEC;');
  return `${step.slice(0, end)}${lines.join('\n')}\n${step.slice(end)}`;
}

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (!found) throw new Error('The STEP file of the kernel has an unexpected structure.');
  return found;
}
