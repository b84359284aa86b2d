// A command of the model: how it is asked for, when it is refused, and what it changes.
import { type Choose, someId } from './pick.ts';
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

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Body = any;

export type Deed = {
  who: Who;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  file?: { fileName: string; content: string };
  /** The documents to be read afterwards. */
  documents: readonly string[];
  /** Each code that this can be refused with as things stand; none: it is done. */
  refusals(m: Model): string[];
  /** Does it in the model, as the service answered; tells the actions of its audit records. */
  apply(m: Model, answer: Body): string[];
};

/** What is decided before anything else. */
export function roleRefusals(who: Who): string[] {
  return who === 'viewer' ? ['forbidden'] : [];
}

/** The refusals of all these conditions that hold. */
export function when(conditions: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(conditions).filter((code) => conditions[code]);
}

export function documentRefusals(m: Model, name: string): string[] {
  const document = documentNamed(m, name);
  return document ? when({ document_archived: document.archived }) : ['not_found'];
}

/** Of a workspace and the document it is in. */
export function placeRefusals(m: Model, workspaceId: string): string[] {
  const workspace = m.workspaces.get(workspaceId);
  return workspace
    ? [...documentRefusals(m, workspace.documentId), ...when({ workspace_archived: workspace.archived })]
    : ['not_found'];
}

/** Of a write to the draft of a workspace. */
export function draftRefusals(m: Model, workspaceId: string, who: Who): string[] {
  const heldBy = m.workspaces.get(workspaceId)?.heldBy ?? who;
  return [...placeRefusals(m, workspaceId), ...when({ workspace_reserved: heldBy !== who })];
}

/** Of a write to the content of a draft or version. */
export function contentRefusals(m: Model, versionId: string, who: Who): string[] {
  const state = m.states.get(versionId);
  if (!state) return ['not_found'];
  return [
    ...(state.n === null ? draftRefusals(m, state.workspaceId, who) : placeRefusals(m, state.workspaceId)),
    ...when({ not_a_draft: state.n !== null }),
  ];
}

/** A record that must be there, because nothing refused. */
export function the<R>(records: Map<string, R>, id: string): R {
  const found = records.get(id);
  if (!found) throw new Error(`the model has no ${id}`);
  return found;
}

/** A workspace with an empty draft, as an answer of the service names them. */
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
    parents,
    files: new Map(),
    frozen: [],
  };
  m.states.set(draftId, draft);
  return draft;
}

/** Takes a record away; its id stays known as one that is gone. */
export function bury<R>(m: Model, records: Map<string, R>, id: string): void {
  records.delete(id);
  m.gone.add(id);
}

export const someWorkspace = (m: Model, pick: Choose): string => someId(m, pick, m.workspaces.keys()) ?? m.root;
export const documentOf = (m: Model, workspaceId: string): string =>
  m.workspaces.get(workspaceId)?.documentId ?? m.root;

/** Mostly a version of the document, sometimes a draft or another document's. */
export function someVersion(m: Model, pick: Choose, documentId: string): string {
  const versions = versionsOf(m, documentId).map(({ id }) => id);
  return someId(m, pick, versions.length && !pick.chance(8) ? versions : m.states.keys()) ?? m.root;
}

/** Of a version that the content of a workspace of the document comes from. */
export function sourceRefusals(m: Model, documentId: string, versionId: string): string[] {
  const version = m.states.get(versionId);
  if (!version) return ['not_found'];
  return when({ wrong_document: version.documentId !== documentId, not_a_version: version.n === null });
}

/** Of a draft that receives the files of another: a document never contains itself. */
export const cycleRefusals = (m: Model, documentId: string, content: Pick<State, 'files'> | undefined): string[] =>
  when({ reference_cycle: content !== undefined && leadsTo(m, linesOf(content), documentId) });
