// What a comparison says, in rows to be read: which files are the same, changed, added, removed; by how much a measure differs.
import type { CompareBothQuery } from '../generated/operations.ts';
import { figure } from '../ui/format.ts';

export type Comparison = CompareBothQuery['compareVersions'];
type Files = Comparison['from']['artifacts'];
type FileOf = { id: string; fileName: string; size: number };
export type FileRow = {
  kind: string;
  change: 'same' | 'changed' | 'renamed' | 'added' | 'removed';
  from: FileOf | null;
  to: FileOf | null;
  derived: boolean;
};

/** Every kind of file of either side: those that differ first, then the others. */
export function fileRows({
  from,
  to,
  files,
}: Pick<Comparison, 'files'> & { from: { artifacts: Files }; to: { artifacts: Files } }): FileRow[] {
  const differing = files.map((file): FileRow => {
    const change = file.change === 'changed' && !file.contentDiffers ? 'renamed' : file.change;
    return {
      kind: file.kind,
      change,
      from: file.from,
      to: file.to,
      derived: (file.to ?? file.from)?.generator !== null,
    };
  });
  const told = new Set(files.map(({ kind }) => kind));
  const others = from.artifacts.flatMap((file): FileRow[] => {
    const same = told.has(file.kind) ? undefined : to.artifacts.find(({ kind }) => kind === file.kind);
    return same ? [{ kind: file.kind, change: 'same', from: file, to: same, derived: file.generator !== null }] : [];
  });
  return [...differing, ...others];
}

export type MeasureRow = { name: string; unit: string; from: string; to: string; difference: string };

const LENGTHS = ['Length (X)', 'Width (Y)', 'Height (Z)'];

/** Volume, area and the sides of the bounding box; what neither side has is left out. */
export function measureRows({ volume, area, boundingBox }: Comparison['measures']): MeasureRow[] {
  const rows: MeasureRow[] = [];
  for (const [name, unit, change] of [
    ['Volume', 'mm³', volume],
    ['Area', 'mm²', area],
  ] as const) {
    if (change)
      rows.push({
        name,
        unit,
        from: said(change.from),
        to: said(change.to),
        difference: difference(change.difference, change.relative),
      });
  }
  LENGTHS.forEach((name, axis) => {
    const [from, to, by] = [
      boundingBox?.from.size[axis],
      boundingBox?.to.size[axis],
      boundingBox?.sizeDifference[axis],
    ];
    if (from === undefined || to === undefined || by === undefined) return;
    rows.push({
      name,
      unit: 'mm',
      from: figure(from),
      to: figure(to),
      difference: difference(by, from === 0 ? null : by / from),
    });
  });
  return rows;
}

const said = (value: number | null) => (value === null ? '–' : figure(value));

/** "+12.5 (+3 %)"; "same" when nothing differs that can be shown. */
export function difference(by: number | null, relative: number | null): string {
  if (by === null) return '–';
  if (by === 0 || figure(by) === figure(0) || figure(by) === `-${figure(0)}`) return 'same';
  const signed = (value: number, text: string) => `${value > 0 ? '+' : ''}${text}`;
  const percent = relative === null ? '' : ` (${signed(relative, figure(Number((relative * 100).toPrecision(3))))} %)`;
  return `${signed(by, figure(by))}${percent}`;
}

/** The fields that differ, without names that nobody gave: the service calls a version V and its number, a draft Draft. */
export const givenFields = (fields: Comparison['fields']): Comparison['fields'] =>
  fields.filter(
    ({ field, from, to }) =>
      field !== 'name' || ![from, to].every((name) => name === null || /^(?:V\d+|Draft)$/.test(name)),
  );

const FIELDS: Record<string, string> = {
  name: 'Name',
  comment: 'Comment',
  repoUrl: 'Repository',
  ref: 'Branch, tag or commit',
  path: 'Folder',
  commit: 'Commit',
};
export const fieldName = (field: string): string => FIELDS[field] ?? field;
