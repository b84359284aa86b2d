// A command of the model: its request, its refusals, and its changes.
import { type Choose, someId } from './random-input.ts';
import {
  documentNamed,
  leadsTo,
  linesOf,
  type Model,
  type State,
  versionsOf,
  type Who,
  type Workspace,
} from './state.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
export type Body = any;

export type ModelCommand = {
  who: Who;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  file?: { fileName: string; content: string };
  /** The documents to read afterwards. */
  documents: readonly string[];
  /** The error codes that the current state permits; empty when the command succeeds. */
  refusals(m: Model): string[];
  /** Applies the command and the response to the model; returns the actions of its audit records. */
  apply(m: Model, answer: Body): string[];
};

/** Refusals by role, which precede all others. */
export function roleRefusals(who: Who): string[] {
  return who === 'viewer' ? ['forbidden'] : [];
}

/** Returns the codes of the true conditions. */
export function when(conditions: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(conditions).filter((code) => conditions[code]);
}

export function documentRefusals(m: Model, name: string): string[] {
  const document = documentNamed(m, name);
  return document ? when({ document_archived: document.archived }) : ['not_found'];
}

/** Refusals by a workspace and its document. */
export function placeRefusals(m: Model, workspaceId: string): string[] {
  const workspace = m.workspaces.get(workspaceId);
  return workspace
    ? [...documentRefusals(m, workspace.documentId), ...when({ workspace_archived: workspace.archived })]
    : ['not_found'];
}

/** Refusals of a write to the draft of a workspace. */
export function draftRefusals(m: Model, workspaceId: string, who: Who): string[] {
  const heldBy = m.workspaces.get(workspaceId)?.heldBy ?? who;
  return [...placeRefusals(m, workspaceId), ...when({ workspace_reserved: heldBy !== who })];
}

/** Refusals of a write to the content of a draft or version. */
export function contentRefusals(m: Model, versionId: string, who: Who): string[] {
  const state = m.states.get(versionId);
  if (!state) return ['not_found'];
  return [
    ...(state.n === null ? draftRefusals(m, state.workspaceId, who) : placeRefusals(m, state.workspaceId)),
    ...when({ not_a_draft: state.n !== null }),
  ];
}

/** Returns a record that must exist, because the command was not refused. */
export function the<R>(records: Map<string, R>, id: string): R {
  const found = records.get(id);
  if (!found) throw new Error(`the model has no ${id}`);
  return found;
}

/** Adds a workspace with an empty draft, with the ids of the response. */
export function addWorkspace(
  m: Model,
  { id, documentId, name, description, fromVersionId, draftId }: Omit<Workspace, 'archived' | 'heldBy'>,
): State {
  m.workspaces.set(id, { id, documentId, name, description, fromVersionId, draftId, archived: false, heldBy: null });
  const basedOn = fromVersionId;
  const parents = basedOn ? [basedOn] : [];
  const draft: State = {
    id: draftId,
    documentId,
    workspaceId: id,
    n: null,
    name: 'Draft',
    comment: null,
    basedOn,
    restoredFrom: null,
    parents,
    files: new Map(),
    frozen: [],
  };
  m.states.set(draftId, draft);
  return draft;
}

/** Deletes a record and remembers its id as deleted. */
export function bury<R>(m: Model, records: Map<string, R>, id: string): void {
  records.delete(id);
  m.gone.add(id);
}

export const someWorkspace = (m: Model, pick: Choose): string => someId(m, pick, m.workspaces.keys()) ?? m.root;
export const documentOf = (m: Model, workspaceId: string): string =>
  m.workspaces.get(workspaceId)?.documentId ?? m.root;

/** Usually a version of the document, sometimes a draft or a version of another document. */
export function someVersion(m: Model, pick: Choose, documentId: string): string {
  const versions = versionsOf(m, documentId).map(({ id }) => id);
  return someId(m, pick, versions.length && !pick.chance(8) ? versions : m.states.keys()) ?? m.root;
}

/** Refusals by the version whose content a workspace of the document receives. */
export function sourceRefusals(m: Model, documentId: string, versionId: string): string[] {
  const version = m.states.get(versionId);
  if (!version) return ['not_found'];
  return when({ wrong_document: version.documentId !== documentId, not_a_version: version.n === null });
}

/** Refusals of a draft that receives the files of another: a document must not contain itself. */
export const cycleRefusals = (m: Model, documentId: string, content: Pick<State, 'files'> | undefined): string[] =>
  when({ reference_cycle: content !== undefined && leadsTo(m, linesOf(content), documentId) });
