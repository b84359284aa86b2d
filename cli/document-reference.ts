// Resolves the documents, versions, workspaces and folders named on the command line.
import type {
  DocumentFragment,
  FolderFragment,
  ResolveAddressQuery,
  VersionFragment,
  WorkspaceFragment,
} from '../rest-adapter/generated/operations.ts';
import { type Api, listAll, pathSegment } from './api.ts';
import { CliError, EXIT } from './exit.ts';

/** A document by number or id, with an optional version or revision: PRT-000001, PRT-000001@v3 or PRT-000001@B. */
export type DocumentReference = { document: string; version: string | null };

/** Parses a document reference. Also accepts a `pdm://` address. */
export function parseDocumentReference(text: string): DocumentReference {
  const match = /^(?:pdm:\/\/documents\/)?([^@/\s]+)(?:@([^@/\s]+))?$/.exec(text);
  if (!match?.[1])
    throw new CliError(
      `"${text}" is not a document. Expected a number or id, optionally with @v3 (version) or @B (revision).`,
      EXIT.usage,
    );
  return { document: match[1], version: match[2] ?? null };
}

/** Fetches a document by number or id. Throws if the text includes a version. */
export async function fetchDocument(api: Api, text: string): Promise<DocumentFragment> {
  const { document, version } = parseDocumentReference(text);
  if (version !== null)
    throw new CliError(`Expected a document without a version: ${document}, not ${text}.`, EXIT.usage);
  return api.get(`/documents/${pathSegment(document)}`);
}

/** Returns a workspace of a document by name or id. Default: the main workspace. */
export function findWorkspace({ number, workspaces }: DocumentFragment, name: string | undefined): WorkspaceFragment {
  const found = name === undefined ? workspaces[0] : workspaces.find((one) => one.name === name || one.id === name);
  if (found) return found;
  const names = workspaces.map((workspace) => workspace.name).join(', ');
  throw new CliError(`${number} has no workspace "${name}". Workspaces: ${names}.`);
}

/** Selects the draft of the main workspace, or of the named one. */
export type DraftOptions = { draft?: true; workspace?: string };

/** Returns the id of the selected draft, or of the version that the address resolves to. */
export async function resolveVersionId(api: Api, text: string, { draft, workspace }: DraftOptions): Promise<string> {
  const { document, version } = parseDocumentReference(text);
  if (draft || workspace !== undefined) {
    if (version !== null) throw new CliError(`@${version} cannot be combined with --draft or --workspace.`, EXIT.usage);
    return findWorkspace(await fetchDocument(api, document), workspace).draftId;
  }
  const address = `pdm://documents/${document}${version ? `@${version}` : ''}`;
  const { resolution, reason, documentId } = await api.get<ResolveAddressQuery['resolveAddress']>('/resolve', {
    address,
  });
  if (resolution) return resolution.versionId;
  throw new CliError(
    `${text}: ${reason}${documentId && !version ? ' Use --draft to read the draft.' : ''}`,
    EXIT.failure,
  );
}

/** Returns the id of a folder given by id or by path, such as Brackets/M8; null if none is given. */
export async function findFolderId(api: Api, idOrPath: string | undefined): Promise<string | null> {
  if (idOrPath === undefined) return null;
  const path = idOrPath.replace(/^\/|\/$/g, '').toLowerCase();
  const { items } = await listAll<FolderFragment>(api, '/folders', { limit: undefined });
  const found = items.find((folder) => folder.id === idOrPath || folder.path.replace(/^\//, '').toLowerCase() === path);
  if (!found) throw new CliError(`Folder not found: ${idOrPath}.`, EXIT.failure);
  return found.id;
}

/** Returns V3, "V3 (A)" or "draft". */
export function versionLabel({ n, releasedAs }: Pick<VersionFragment, 'n' | 'releasedAs'>): string {
  if (n === null) return 'draft';
  return releasedAs ? `V${n} (${releasedAs.label})` : `V${n}`;
}
