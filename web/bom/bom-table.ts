// The bill of materials as a table for an Excel file.

import { referenceTypeOf } from './bom-lines.ts';
import type { LineMass } from './line-masses.ts';

type Line = {
  level: number;
  path: string;
  number: string | null;
  name: string | null;
  kind: string | null;
  address: string;
  resolution: { label?: string | null; n: number } | null;
  quantity: number;
  totalQuantity: number;
  outdated: boolean;
  reason: string | null;
  document?: { description?: string | null; folder?: { path: string } | null } | null;
};

const TITLES = [
  'Level',
  'Position',
  'Number',
  'Name',
  'Kind',
  'Revision',
  'Version',
  'Reference',
  'Quantity',
  'Total quantity',
  'Material',
  'Mass of one (kg)',
  'Total mass (kg)',
  'Description',
  'Folder',
  'Outdated',
  'Unresolved because',
];

/** The titles and the cells of each line. */
export const bomTable = <Any extends Line>(
  lines: readonly Any[],
  massOf: (line: Any) => LineMass | undefined,
): string[][] => [TITLES, ...lines.map((line) => cellsOf(line, massOf(line)))];

function cellsOf(line: Line, { mass = null, materials = [] }: Partial<LineMass> = {}): string[] {
  const { resolution, document } = line;
  return [
    String(line.level),
    line.path,
    line.number ?? '',
    line.name ?? line.address,
    line.kind ?? '',
    resolution?.label ?? '',
    resolution ? `v${resolution.n}` : '',
    referenceTypeOf(line.address) === 'floating' ? 'newest' : 'pinned',
    String(line.quantity),
    String(line.totalQuantity),
    materials.join(', '),
    mass === null ? '' : String(mass),
    mass === null ? '' : String(Number((mass * line.totalQuantity).toPrecision(12))),
    document?.description ?? '',
    document ? (document.folder?.path ?? '') : '',
    line.outdated ? 'yes' : '',
    line.reason ?? '',
  ];
}
