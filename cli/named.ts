import type {
  DocumentFragment,
  FolderFragment,
  ResolveAddressQuery,
  VersionFragment,
  WorkspaceFragment,
} from '../rest-adapter/generated/operations.ts';
import { type Api, allOf, part } from './api.ts';
import { EXIT, Failure } from './exit.ts';

/** What is meant by PRT-000001, PRT-000001@v3 or PRT-000001@B. */
export type Named = { document: string; state: string | null };

/** Takes a document's number or id apart from the version or revision behind it; also a pdm:// address. */
export function namedBy(text: string): Named {
  const match = /^(?:pdm:\/\/documents\/)?([^@/\s]+)(?:@([^@/\s]+))?$/.exec(text);
  if (!match?.[1])
    throw new Failure(
      `"${text}" names no document. Give a number or an id, with @v3 or @B for a version or a revision.`,
      EXIT.usage,
    );
  return { document: match[1], state: match[2] ?? null };
}

export async function documentOf(api: Api, text: string): Promise<DocumentFragment> {
  const { document, state } = namedBy(text);
  if (state !== null) throw new Failure(`Give the document alone: ${document}, without @${state}.`, EXIT.usage);
  return api.get(`/documents/${part(document)}`);
}

/** A workspace of a document by its name or id, else its main one. */
export function workspaceOf({ number, workspaces }: DocumentFragment, name: string | undefined): WorkspaceFragment {
  const found = name === undefined ? workspaces[0] : workspaces.find((one) => one.name === name || one.id === name);
  if (!found)
    throw new Failure(`${number} has no workspace "${name}"; it has ${workspaces.map((one) => one.name).join(', ')}.`);
  return found;
}

/** Names a draft: that of the main workspace, or of one by its name. */
export type DraftOptions = { draft?: true; workspace?: string };

/** The id of the draft or version that is meant: as an address resolves, or a draft where one is asked for. */
export async function stateOf(api: Api, text: string, { draft, workspace }: DraftOptions): Promise<string> {
  const { document, state } = namedBy(text);
  if (draft || workspace !== undefined) {
    if (state !== null) throw new Failure(`Either @${state}, or a draft with --draft or --workspace.`, EXIT.usage);
    return workspaceOf(await documentOf(api, document), workspace).draftId;
  }
  const address = `pdm://documents/${document}${state ? `@${state}` : ''}`;
  const { resolution, reason } = await api.get<ResolveAddressQuery['resolveAddress']>('/resolve', { address });
  if (resolution) return resolution.versionId;
  throw new Failure(`${text}: ${reason}${state ? '' : ' Its draft is meant with --draft.'}`, EXIT.refused);
}

/** The id of a folder by its id or its path, like Brackets/M8; null for none. */
export async function folderIdOf(api: Api, given: string | undefined): Promise<string | null> {
  if (given === undefined) return null;
  const path = given.replace(/^\/|\/$/g, '').toLowerCase();
  const { items } = await allOf<FolderFragment>(api, '/folders', { limit: undefined });
  const found = items.find((folder) => folder.id === given || folder.path.replace(/^\//, '').toLowerCase() === path);
  if (!found) throw new Failure(`There is no folder ${given}.`, EXIT.refused);
  return found.id;
}

/** V3, "V3 (A)" or "draft". */
export function stateName({ n, releasedAs }: Pick<VersionFragment, 'n' | 'releasedAs'>): string {
  return n === null ? 'draft' : `V${n}${releasedAs ? ` (${releasedAs.label})` : ''}`;
}
