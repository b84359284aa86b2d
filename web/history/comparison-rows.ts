// The table rows of a version comparison: files, mass properties and fields.
import type { CompareVersionsQuery } from '../generated/operations.ts';
import { formatNumber } from '../ui/format.ts';

export type Comparison = CompareVersionsQuery['compareVersions'];
type Files = Comparison['from']['artifacts'];
type FileInfo = { id: string; fileName: string; size: number };
export type FileRow = {
  kind: string;
  change: 'same' | 'changed' | 'renamed' | 'added' | 'removed';
  from: FileInfo | null;
  to: FileInfo | null;
  derived: boolean;
};

/** Returns one row per file kind of either side, differences first. */
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
  const listed = new Set(files.map(({ kind }) => kind));
  const others = from.artifacts.flatMap((file): FileRow[] => {
    const same = listed.has(file.kind) ? undefined : to.artifacts.find(({ kind }) => kind === file.kind);
    return same ? [{ kind: file.kind, change: 'same', from: file, to: same, derived: file.generator !== null }] : [];
  });
  return [...differing, ...others];
}

export type MassPropertyRow = { name: string; unit: string; from: string; to: string; difference: string };

const LENGTHS = ['Length (X)', 'Width (Y)', 'Height (Z)'];

/** Returns the rows of volume, area and bounding box; omits those that cannot be compared. */
export function massPropertyRows({ volume, area, boundingBox }: Comparison['measures']): MassPropertyRow[] {
  const rows: MassPropertyRow[] = [];
  for (const [name, unit, change] of [
    ['Volume', 'mm³', volume],
    ['Area', 'mm²', area],
  ] as const) {
    if (change)
      rows.push({
        name,
        unit,
        from: formatValue(change.from),
        to: formatValue(change.to),
        difference: formatDifference(change.difference, change.relative),
      });
  }
  LENGTHS.forEach((name, axis) => {
    const [from, to, change] = [
      boundingBox?.from.size[axis],
      boundingBox?.to.size[axis],
      boundingBox?.sizeDifference[axis],
    ];
    if (from === undefined || to === undefined || change === undefined) return;
    rows.push({
      name,
      unit: 'mm',
      from: formatNumber(from),
      to: formatNumber(to),
      difference: formatDifference(change, from === 0 ? null : change / from),
    });
  });
  return rows;
}

const formatValue = (value: number | null) => (value === null ? '–' : formatNumber(value));

/** Formats a difference as "+12.5 (+3 %)"; "same" if it rounds to zero, "–" if it is unknown. */
export function formatDifference(absolute: number | null, relative: number | null): string {
  if (absolute === null) return '–';
  const text = formatNumber(absolute);
  if (absolute === 0 || text === formatNumber(0) || text === `-${formatNumber(0)}`) return 'same';
  const withSign = (value: number, formatted: string) => `${value > 0 ? '+' : ''}${formatted}`;
  const percent =
    relative === null ? '' : ` (${withSign(relative, formatNumber(Number((relative * 100).toPrecision(3))))} %)`;
  return `${withSign(absolute, text)}${percent}`;
}

/** Returns the fields that differ, without differences between default names ("V3", "Draft"). */
export const significantFields = (fields: Comparison['fields']): Comparison['fields'] =>
  fields.filter(
    ({ field, from, to }) =>
      field !== 'name' || ![from, to].every((name) => name === null || /^(?:V\d+|Draft)$/.test(name)),
  );

const FIELD_LABELS: Record<string, string> = {
  name: 'Name',
  comment: 'Comment',
  repoUrl: 'Repository',
  ref: 'Branch, tag or commit',
  path: 'Folder',
  commit: 'Commit',
};
export const fieldLabel = (field: string): string => FIELD_LABELS[field] ?? field;
