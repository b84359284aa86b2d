// How lines of a bill of material are told: what they mean, how they point there, what is to be noticed.

export type Meant = { label?: string | null; n: number; obsolete: boolean };
export type Pointing = 'floating' | 'revision' | 'version';

/** How an address points: at what is newest, at a release by its label, or at a version by its number. */
export function pointingOf(address: string): Pointing {
  const [, state] = /@([^@/]+)$/.exec(address) ?? [];
  return state === undefined ? 'floating' : /^v\d+$/.test(state) ? 'version' : 'revision';
}

export const POINTING: Readonly<Record<Pointing, { label: string; why: string }>> = {
  floating: {
    label: 'newest',
    why: 'Follows the document: its newest release, or its newest version while nothing was released',
  },
  revision: { label: 'pinned', why: 'Names this revision; stays until the reference is updated' },
  version: { label: 'pinned', why: 'Names this version; stays until the reference is updated' },
};

/** "Rev B · v3", "v3". */
export const meantWords = ({ label, n }: Meant): string => (label ? `Rev ${label} · v${n}` : `v${n}`);

/** "Draft in main", "Rev B · v3". */
export function stateWords(version: {
  type: string;
  n: number | null;
  releasedAs: { label: string } | null;
  workspace: { name: string };
}): string {
  return version.type === 'draft' || version.n === null
    ? `Draft in ${version.workspace.name}`
    : meantWords({ label: version.releasedAs?.label, n: version.n, obsolete: false });
}

type Line = {
  number: string | null;
  name: string | null;
  address: string;
  resolution: Meant | null;
  outdated: boolean;
  outdatedBelow: boolean;
  reason: string | null;
};
export type Mark = { text: string; kind: 'warn' | 'bad' | 'quiet'; why: string };

/** What is to be noticed about a line, the worst first. */
export function marksOf({ resolution, outdated, outdatedBelow, reason }: Line): Mark[] {
  const marks: Mark[] = [];
  if (!resolution) marks.push({ text: 'unresolved', kind: 'bad', why: reason ?? 'It means nothing now' });
  if (resolution?.obsolete) marks.push({ text: 'obsolete', kind: 'bad', why: 'This revision is no longer to be used' });
  if (outdated) marks.push({ text: 'outdated', kind: 'warn', why: 'There is something newer than what is used here' });
  else if (outdatedBelow) marks.push({ text: 'outdated inside', kind: 'quiet', why: 'Something in it is outdated' });
  return marks;
}

/** Whether every word is found in the number, the name or the address of a line; without words every line is. */
export function mentions(text: string): ((line: Pick<Line, 'number' | 'name' | 'address'>) => boolean) | null {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  return ({ number, name, address }) => {
    const told = `${number ?? ''} ${name ?? ''} ${address}`.toLowerCase();
    return words.every((word) => told.includes(word));
  };
}

/** How many lines have to be looked at: unresolved, obsolete, outdated themselves. */
export function countMarks(lines: readonly Line[]): { outdated: number; obsolete: number; unresolved: number } {
  const found = { outdated: 0, obsolete: 0, unresolved: 0 };
  for (const { outdated, resolution } of lines) {
    if (outdated) found.outdated++;
    if (resolution?.obsolete) found.obsolete++;
    if (!resolution) found.unresolved++;
  }
  return found;
}
