// Counts the parts of a STEP file in the browser, to ask how to import it before it is uploaded.
import { formatNumber } from '../ui/format.ts';
import { canSplit, isStep } from './upload-kind.ts';

/** The structure of an assembly: how many different parts it contains, and how often they are placed. */
export type StepStructure = { parts: number; places: number };

/** "5 parts in 18 places". */
export const structureText = ({ parts, places }: StepStructure): string =>
  `${formatNumber(parts)} ${parts === 1 ? 'part' : 'parts'} in ${formatNumber(places)} ${places === 1 ? 'place' : 'places'}`;

/** Returns the structure of a file: null if it is one part, undefined if the page cannot count its parts. */
export async function countParts(file: File): Promise<StepStructure | null | undefined> {
  if (isStep(file.name) && file.size <= MAX_SIZE) return readStepStructure(file);
  return canSplit(file.name) ? undefined : null;
}

const TEXT = /(?:'(?:[^']|'')*'|\$|\*)/.source;
// relating (the assembly) and related product definition (the component) of a usage
const USAGE = new RegExp(
  `NEXT_ASSEMBLY_USAGE_OCCURRENCE\\s*\\(${[TEXT, TEXT, TEXT].map((one) => `\\s*${one}\\s*,`).join('')}\\s*#(\\d+)\\s*,\\s*#(\\d+)`,
  'g',
);
const MAX_USAGE_LENGTH = 4_096; // the part of a usage that a chunk may cut off
const MAX_SIZE = 1e9;

/** Returns the structure of a STEP file; null if it is one part. */
export async function readStepStructure(file: Blob): Promise<StepStructure | null> {
  const usages: Usage[] = [];
  let rest = '';
  const reader = file.stream().pipeThrough(new TextDecoderStream('latin1')).getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const text = rest + step.value;
    let end = 0;
    for (const match of text.matchAll(USAGE)) {
      usages.push({ parent: Number(match[1]), child: Number(match[2]) });
      end = match.index + match[0].length;
    }
    rest = text.slice(Math.max(end, text.length - MAX_USAGE_LENGTH));
  }
  return structureOf(usages);
}

type Usage = { parent: number; child: number };

/** Counts the parts below the roots; null without usages. A definition that contains itself counts once. */
export function structureOf(usages: readonly Usage[]): StepStructure | null {
  if (usages.length === 0) return null;
  const childrenOf = Map.groupBy(usages, ({ parent }) => parent);
  const used = new Set(usages.map(({ child }) => child));
  const parts = [...used].filter((id) => !childrenOf.has(id));
  const placesOf = new Map<number, number>();
  const count = (id: number): number => {
    const known = placesOf.get(id);
    if (known !== undefined) return known;
    placesOf.set(id, 0);
    const places = childrenOf.get(id)?.reduce((sum, { child }) => sum + count(child), 0) ?? 1;
    placesOf.set(id, places);
    return places;
  };
  const roots = [...childrenOf.keys()].filter((id) => !used.has(id));
  return { parts: parts.length, places: roots.reduce((sum, root) => sum + count(root), 0) };
}
