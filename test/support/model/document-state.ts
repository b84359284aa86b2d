// The state of a document as the service returns it and as the model expects it, in the same form.
import type { Client } from '../client.ts';
import type { Body } from './model-command.ts';
import { addressOf, allLines, documentNamed, type Model, meant, of, type State, usesOf, versionsOf } from './state.ts';
import { expectedStructure, readStructure } from './structure.ts';

/** Reads JSON; checks that the tag of a response changes exactly when the response does. */
export type Read = (path: string) => Promise<Body>;

export function reader(client: Client): Read {
  const known = new Map<string, Map<string, string>>();
  return async (path) => {
    const { status, headers, body, bytes } = await client.get(path);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${bytes}`);
    const [tag, text] = [headers.get('etag') ?? '', bytes.toString()];
    const before = known.get(path) ?? new Map<string, string>();
    known.set(path, before.set(tag, before.get(tag) ?? text));
    const tags = [...before].filter(([, each]) => each === text);
    if (before.get(tag) !== text || tags.length > 1)
      throw new Error(`GET ${path}: the tag ${tag} does not go with the answer:\n${before.get(tag)}\n${text}`);
    return body;
  };
}

const byId = <R extends { id: string }>(records: readonly R[]): R[] =>
  [...records].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The document with its workspaces, drafts, versions and revisions; null when it does not exist. */
export async function readDocument(read: Read, id: string): Promise<unknown> {
  const document = await read(`/documents/${id}`);
  if (!document) return null;
  const state = ({
    id,
    workspaceId,
    n,
    name,
    comment,
    basedOnVersionId,
    parents,
    restoredFromVersionId,
    releasedAs,
  }: Body) => ({
    id,
    workspaceId,
    n,
    name,
    comment,
    basedOn: basedOnVersionId,
    parents,
    restoredFrom: restoredFromVersionId,
    releasedAs: releasedAs?.label ?? null,
  });
  const { number, name, kind, description, folderId, archived, workspaces, drafts, versions, revisions, reservations } =
    document;
  return {
    id: document.id,
    number,
    name,
    kind,
    description,
    folderId,
    archived,
    workspaces: byId(workspaces).map(
      ({ id, name, description, archived, fromVersionId, draftId, newestVersionId, reservation }: Body) => ({
        id,
        name,
        description,
        archived,
        fromVersionId,
        draftId,
        newestVersionId,
        heldBy: reservation?.by.name ?? null,
      }),
    ),
    drafts: byId(drafts).map(state),
    versions: versions.map(state),
    revisions: revisions.map(({ id, versionId, versionN, label, ordinal, comment, obsolete }: Body) => ({
      id,
      versionId,
      versionN,
      label,
      ordinal,
      comment,
      obsolete,
    })),
    reservations: reservations.map(({ workspaceId }: Body) => workspaceId).sort(),
  };
}

const HOLDERS = { admin: 'Administrator', editor: 'Ed Editor', viewer: '' } as const;

export function expectedDocument(m: Model, id: string): unknown {
  const document = documentNamed(m, id);
  if (!document) return null;
  const { versions: _v, releases: _r, ...fields } = document;
  const [versions, revisions, workspaces] = [
    versionsOf(m, document.id),
    of(m.revisions, document.id),
    byId(of(m.workspaces, document.id)),
  ];
  const state = ({ id, workspaceId, n, name, comment, basedOn, parents, restoredFrom }: State) => ({
    id,
    workspaceId,
    n,
    name,
    comment,
    basedOn,
    parents,
    restoredFrom,
    releasedAs: revisions.find(({ versionId }) => versionId === id)?.label ?? null,
  });
  return {
    ...fields,
    workspaces: workspaces.map(({ documentId: _, heldBy, ...workspace }) => ({
      ...workspace,
      newestVersionId: versions.find(({ workspaceId }) => workspaceId === workspace.id)?.id ?? null,
      heldBy: heldBy && HOLDERS[heldBy],
    })),
    drafts: byId(of(m.states, document.id).filter(({ n }) => n === null)).map(state),
    versions: versions.map(state),
    revisions: revisions
      .sort((a, b) => b.ordinal - a.ordinal)
      .map(({ documentId: _, ...revision }) => ({ ...revision, versionN: m.states.get(revision.versionId)?.n })),
    reservations: workspaces.filter(({ heldBy }) => heldBy).map(({ id }) => id),
  };
}

/** The document with the files and uses of each draft and version; `deep` adds everything derived from them. */
export async function readWhole(read: Read, id: string, deep = false): Promise<unknown> {
  const document = (await readDocument(read, id)) as Body;
  if (!document) return null;
  const contents: Record<string, unknown> = {};
  for (const state of [...document.drafts, ...document.versions]) {
    const content = await readContent(read, state.id, document.kind === 'assembly');
    contents[state.id] = {
      ...content,
      ...(deep && document.kind === 'assembly' ? await readStructure(read, state.id) : {}),
    };
  }
  return { ...document, contents };
}

export function expectedWhole(m: Model, id: string, deep = false): unknown {
  const document = documentNamed(m, id);
  if (!document) return null;
  const assembly = document.kind === 'assembly';
  const content = (state: State) => ({
    ...expectedContent(m, state, assembly),
    ...(deep && assembly ? expectedStructure(m, state) : {}),
  });
  return {
    ...(expectedDocument(m, id) as object),
    contents: Object.fromEntries(of(m.states, document.id).map((state) => [state.id, content(state)])),
  };
}

/** The files and uses of a draft or version. */
async function readContent(read: Read, id: string, assembly: boolean): Promise<object> {
  const files = (await read(`/versions/${id}/artifacts?limit=200`)).items.map(({ kind, fileName, sha256 }: Body) => [
    kind,
    fileName,
    sha256,
  ]);
  if (!assembly) return { files };
  const lines = (await read(`/versions/${id}/references?limit=200`)).items;
  return { files, lines: lines.map(({ location, resolution }: Body) => [location, resolution?.versionId ?? null]) };
}

function expectedContent(m: Model, state: State, assembly: boolean): object {
  const files = [...state.files].map(([kind, { fileName, sha256 }]) => [kind, fileName, sha256]).sort();
  if (!assembly) return { files };
  return { files, lines: usesOf(state).map((use) => [addressOf(use), meant(m, state, use)]) };
}

const EDGES: Record<string, string> = { continues: 'base', fork: 'base', take_over: 'taken over', restore: 'restored' };
function edgeTo(parent: string, { basedOn, restoredFrom }: State): string {
  if (parent === basedOn) return 'base';
  return parent === restoredFrom ? 'restored' : 'taken over';
}

/** The users of a document and its version graph. */
export async function readSurroundings(read: Read, id: string): Promise<unknown> {
  const use = ({ versionId, location, resolution }: Body) =>
    `${versionId} ${location} ${resolution?.versionId ?? null}`;
  const [latest, all, released] = await Promise.all(
    ['', '&scope=all', '&scope=released&drafts=false'].map(async (scope) =>
      (await read(`/documents/${id}/where-used?limit=200${scope}`)).items.map(use).sort(),
    ),
  );
  const above = (await read(`/documents/${id}/where-used?levels=all&scope=all&limit=200`)).items
    .map(({ documentId }: Body) => documentId)
    .sort();
  const { nodes, edges } = await read(`/documents/${id}/version-graph`);
  return {
    latest,
    all,
    released,
    above,
    nodes: nodes.map((node: Body) => node.id).sort(),
    edges: edges.map(({ kind, child, parent }: Body) => `${EDGES[kind]} ${child.versionId} ${parent.versionId}`).sort(),
  };
}

export function expectedSurroundings(m: Model, id: string): unknown {
  const users = (of: string) =>
    allLines(m).filter(({ line, state }) => documentNamed(m, line.target)?.id === of && state.documentId !== of);
  const lines = users(id);
  const shown = (some: typeof lines) =>
    some.map(({ state, line, versionId }) => `${state.id} ${addressOf(line)} ${versionId}`).sort();
  const above = new Set<string>();
  for (const waiting = [id]; waiting.length; )
    for (const { state } of users(waiting.pop()!))
      if (state.documentId !== id && !above.has(state.documentId) && above.add(state.documentId))
        waiting.push(state.documentId);
  const releases = new Set([...m.revisions.values()].map(({ versionId }) => versionId));
  const states = of(m.states, id);
  return {
    latest: shown(lines.filter(({ state }) => state.n === null || versionsOf(m, state.documentId)[0]?.id === state.id)),
    all: shown(lines),
    released: shown(lines.filter(({ state }) => releases.has(state.id))),
    above: [...above].sort(),
    nodes: states.map((state) => state.id).sort(),
    edges: states
      .flatMap((state) => state.parents.map((parent) => `${edgeTo(parent, state)} ${state.id} ${parent}`))
      .sort(),
  };
}
