// Labels and issues of the lines of a bill of materials.

export type ResolvedVersion = { label?: string | null; n: number; obsolete: boolean };
export type ReferenceType = 'floating' | 'revision' | 'version';

/** Returns `floating` for an address without a suffix, else whether it is pinned to a revision or a version. */
export function referenceTypeOf(address: string): ReferenceType {
  const [, pin] = /@([^@/]+)$/.exec(address) ?? [];
  if (pin === undefined) return 'floating';
  return /^v\d+$/.test(pin) ? 'version' : 'revision';
}

export const REFERENCE_TYPES: Readonly<Record<ReferenceType, { label: string; tooltip: string }>> = {
  floating: {
    label: 'newest',
    tooltip: 'Follows the newest release of the document, or its newest version if none is released',
  },
  revision: { label: 'pinned', tooltip: 'Pinned to this revision until the reference is updated' },
  version: { label: 'pinned', tooltip: 'Pinned to this version until the reference is updated' },
};

/** Formats a version, e.g. "Rev B · v3" or "v3". */
export const resolvedLabel = ({ label, n }: ResolvedVersion): string => (label ? `Rev ${label} · v${n}` : `v${n}`);

/** Formats a draft or version, e.g. "Draft in main" or "Rev B · v3". */
export function versionLabel(version: {
  type: string;
  n: number | null;
  releasedAs: { label: string } | null;
  workspace: { name: string };
}): string {
  return version.type === 'draft' || version.n === null
    ? `Draft in ${version.workspace.name}`
    : resolvedLabel({ label: version.releasedAs?.label, n: version.n, obsolete: false });
}

type Line = {
  number: string | null;
  name: string | null;
  address: string;
  resolution: ResolvedVersion | null;
  outdated: boolean;
  outdatedBelow: boolean;
  reason: string | null;
};
export type Issue = { text: string; class: 'warn' | 'bad' | 'quiet'; tooltip: string };

/** Returns the issues of a line, the most severe first. */
export function issuesOf({ resolution, outdated, outdatedBelow, reason }: Line): Issue[] {
  const issues: Issue[] = [];
  if (!resolution)
    issues.push({ text: 'unresolved', class: 'bad', tooltip: reason ?? 'The reference does not resolve' });
  if (resolution?.obsolete) issues.push({ text: 'obsolete', class: 'bad', tooltip: 'This revision is obsolete' });
  if (outdated) issues.push({ text: 'outdated', class: 'warn', tooltip: 'A newer version exists' });
  else if (outdatedBelow)
    issues.push({ text: 'contains outdated', class: 'quiet', tooltip: 'A component of this assembly is outdated' });
  return issues;
}

/** Returns a filter for lines whose number, name or address contains every word; null if there are no words. */
export function textFilter(text: string): ((line: Pick<Line, 'number' | 'name' | 'address'>) => boolean) | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return ({ number, name, address }) => {
    const searchText = `${number ?? ''} ${name ?? ''} ${address}`.toLowerCase();
    return words.every((word) => searchText.includes(word));
  };
}

/** Counts the lines that are unresolved, obsolete or outdated themselves. */
export function countIssues(lines: readonly Line[]): { outdated: number; obsolete: number; unresolved: number } {
  const counts = { outdated: 0, obsolete: 0, unresolved: 0 };
  for (const { outdated, resolution } of lines) {
    if (outdated) counts.outdated++;
    if (resolution?.obsolete) counts.obsolete++;
    if (!resolution) counts.unresolved++;
  }
  return counts;
}
