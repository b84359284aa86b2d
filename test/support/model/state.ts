// The state of the service according to the specification, with which tests compare it. Plain data, so that it can be
// cloned to try an order of writes.

export type Who = 'admin' | 'editor' | 'viewer';
export type Kind = 'model' | 'assembly' | 'code';
export type Folder = { id: string; name: string; parentId: string };
export type Document = {
  id: string;
  number: string;
  name: string;
  kind: Kind;
  description: string | null;
  folderId: string | null;
  archived: boolean;
  /** The numbers of versions and releases ever created. */
  versions: number;
  releases: number;
};
export type Workspace = {
  id: string;
  documentId: string;
  name: string;
  description: string | null;
  archived: boolean;
  fromVersionId: string | null;
  draftId: string;
  heldBy: Who | null;
};
/** An address of an asm.json with its quantity; `at` is empty, @<label> or @v<n>. */
export type Use = { target: string; at: string; quantity: number };
export type File = { fileName: string; sha256: string; uses: Use[] };
/** A draft (n null) or a version; `frozen` has the version id of each line. */
export type State = {
  id: string;
  documentId: string;
  workspaceId: string;
  n: number | null;
  name: string;
  comment: string | null;
  basedOn: string | null;
  parents: string[];
  restoredFrom: string | null;
  files: Map<string, File>;
  frozen: string[];
};
export type Revision = {
  id: string;
  documentId: string;
  versionId: string;
  label: string;
  ordinal: number;
  comment: string | null;
  obsolete: boolean;
};
/** The content of a draft before a change that can be undone. */
export type Kept = Pick<State, 'workspaceId' | 'files' | 'parents' | 'basedOn' | 'restoredFrom'>;

export type Model = {
  /** The folder that contains all folders of this history. */
  root: string;
  folders: Map<string, Folder>;
  documents: Map<string, Document>;
  workspaces: Map<string, Workspace>;
  states: Map<string, State>;
  revisions: Map<string, Revision>;
  kept: Map<string, Kept>;
  /** Numbers of deleted documents, and ids of deleted records. */
  buried: Set<string>;
  gone: Set<string>;
};

export function emptyModel(root: string, name: string): Model {
  return {
    root,
    folders: new Map([[root, { id: root, name, parentId: '' }]]),
    documents: new Map(),
    workspaces: new Map(),
    states: new Map(),
    revisions: new Map(),
    kept: new Map(),
    buried: new Set<string>(),
    gone: new Set<string>(),
  };
}

/** The records of a map that belong to a document. */
export function of<R extends { documentId: string }>(records: Map<string, R>, documentId: string): R[] {
  return [...records.values()].filter((record) => record.documentId === documentId);
}

/** The versions of a document, the newest first. */
export function versionsOf(m: Model, documentId: string): (State & { n: number })[] {
  return of(m.states, documentId)
    .filter((state): state is State & { n: number } => state.n !== null)
    .sort((a, b) => b.n - a.n);
}

/** Finds a document by its id, or by its number in any case. */
export function documentNamed(m: Model, target: string): Document | null {
  return (
    m.documents.get(target) ?? [...m.documents.values()].find(({ number }) => number === target.toUpperCase()) ?? null
  );
}

export const addressOf = ({ target, at }: Use): string => `pdm://documents/${target}${at}`;

export const usesOf = ({ files }: Pick<State, 'files'>): Use[] => files.get('asm-json')?.uses ?? [];

/** The lines of a draft or version: one for each address, in the order of its asm.json. */
export function linesOf({ files }: Pick<State, 'files'>): Use[] {
  const lines = new Map<string, Use>();
  for (const use of usesOf({ files })) {
    const line = lines.get(addressOf(use));
    lines.set(addressOf(use), { ...use, quantity: use.quantity + (line?.quantity ?? 0) });
  }
  return [...lines.values()];
}

/** The version that an address means now (section 1 of the specification). */
export function resolved(m: Model, { target, at }: Use): (State & { n: number }) | null {
  const document = documentNamed(m, target);
  if (!document || document.kind === 'code') return null;
  const versions = versionsOf(m, document.id);
  if (/^@v\d+$/.test(at)) return versions.find(({ n }) => at === `@v${n}`) ?? null;
  const releases = of(m.revisions, document.id).sort((a, b) => b.ordinal - a.ordinal);
  const release = at
    ? releases.find(({ label }) => at === `@${label}`)
    : (releases.find(({ obsolete }) => !obsolete) ?? releases[0]);
  const meant = release ? versions.find(({ id }) => id === release.versionId) : at ? undefined : versions[0];
  return meant ?? null;
}

/** Every draft and version with each of its lines, and the version that the line means: frozen or current. */
export function allLines(m: Model): { state: State; line: Use; versionId: string | null }[] {
  return [...m.states.values()].flatMap((state) =>
    linesOf(state).map((line, i) => ({
      state,
      line,
      versionId: state.n === null ? (resolved(m, line)?.id ?? null) : (state.frozen[i] ?? null),
    })),
  );
}

/**
 * Returns whether these lines lead to a document: through the versions they mean and all below, and through the drafts
 * of every document on the way.
 */
export function leadsTo(m: Model, lines: readonly Use[], documentId: string): boolean {
  const visited = new Set<string>();
  const waiting = lines.map((line) => ({ line, versionId: resolved(m, line)?.id ?? null }));
  for (let use = waiting.pop(); use; use = waiting.pop()) {
    const used = documentNamed(m, use.line.target);
    if (!used) continue;
    if (used.id === documentId) return true;
    const inside = allLines(m).filter(
      ({ state }) => state.id === use?.versionId || (state.n === null && state.documentId === used.id),
    );
    for (const { state, line, versionId } of inside) {
      const key = `${state.id} ${addressOf(line)}`;
      if (!visited.has(key)) waiting.push({ line, versionId });
      visited.add(key);
    }
  }
  return false;
}

/** The newest release of a document that is not obsolete, or its newest version. */
export function newestOf(m: Model, documentId: string, wanted: 'release' | 'version'): (State & { n: number }) | null {
  const release = of(m.revisions, documentId)
    .filter(({ obsolete }) => !obsolete)
    .sort((a, b) => b.ordinal - a.ordinal)[0];
  return versionsOf(m, documentId).find(({ id }) => wanted === 'version' || id === release?.versionId) ?? null;
}

/**
 * The newer version of a pinned use: never an older one, unless the current one is obsolete or deleted. Null: no
 * change.
 */
export function moved(m: Model, use: Use, to: 'release' | 'version' | undefined, means: string | null): Use | null {
  const document = documentNamed(m, use.target);
  const wanted = to ?? (/^@v\d+$/.test(use.at) ? 'version' : 'release');
  const newest = document && document.kind !== 'code' ? newestOf(m, document.id, wanted) : null;
  if (!use.at || !newest) return null;
  const current = m.states.get(means ?? '');
  const releases = [...m.revisions.values()];
  const obsolete = releases.some(({ versionId, obsolete }) => versionId === current?.id && obsolete);
  if (current && (newest.id === current.id || !(newest.n > (current.n ?? 0) || obsolete))) return null;
  return {
    ...use,
    at: wanted === 'version' ? `@v${newest.n}` : `@${releases.find(({ versionId }) => versionId === newest.id)?.label}`,
  };
}

/** The version that a line of a draft (current) or version (frozen) means. */
export function meant(m: Model, state: State, use: Use): string | null {
  if (state.n === null) return resolved(m, use)?.id ?? null;
  return state.frozen[linesOf(state).findIndex((line) => addressOf(line) === addressOf(use))] ?? null;
}
