// Documents and folders.
import { addWorkspace, bury, documentRefusals, type ModelCommand, roleRefusals, the, when } from './model-command.ts';
import { type Choose, COMMENTS, sameName, someId, someName } from './random-input.ts';
import { allLines, documentNamed, type Kind, type Model, of, type State, versionsOf, type Who } from './state.ts';

const KINDS: readonly Kind[] = ['model', 'assembly', 'assembly', 'assembly', 'code'];

function someFolder(m: Model, pick: Choose): string {
  return someId(m, pick, m.folders.keys()) ?? m.root;
}

/** The id of a document, or its number in any case. */
function someDocument(m: Model, pick: Choose): string {
  const id = someId(m, pick, m.documents.keys()) ?? m.root;
  const number = m.documents.get(id)?.number;
  return !number || pick.chance(2) ? id : pick.of([number, number.toLowerCase()])!;
}

function someNumber(m: Model, pick: Choose): string | undefined {
  return pick.of([undefined, undefined, `${m.root.slice(-8).toUpperCase()}-${pick.number(6)}`]);
}

const taken = (m: Model, number: string | undefined): boolean =>
  number !== undefined && (m.buried.has(number) || documentNamed(m, number) !== null);

export function createDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const [[given, name], [said, description]] = [someName(pick), pick.of(COMMENTS)!];
  const [kind, number] = [pick.of(KINDS)!, someNumber(m, pick)];
  const folderId = pick.of([null, someFolder(m, pick)])!;
  return {
    who,
    method: 'POST',
    path: '/documents',
    documents: [],
    body: { name: given, kind, description: said, folderId, ...(number ? { number } : {}) },
    refusals: (m) => [
      ...roleRefusals(who),
      ...when({
        validation_failed: name === null,
        number_taken: taken(m, number),
        not_found: folderId !== null && !m.folders.has(folderId),
      }),
    ],
    apply(m, { id, number, workspaces: [main] }) {
      m.documents.set(id, {
        id,
        number,
        name: name!,
        kind,
        description,
        folderId,
        archived: false,
        versions: 0,
        releases: 0,
      });
      addWorkspace(m, main);
      return ['document.created'];
    },
  };
}

export function updateDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someDocument(m, pick);
  const [[given, name], [said, description]] = [someName(pick), pick.of(COMMENTS)!];
  return {
    who,
    method: 'PATCH',
    path: `/documents/${id}`,
    body: { name: given, description: said },
    documents: [id],
    refusals: (m) => [...roleRefusals(who), ...documentRefusals(m, id), ...when({ validation_failed: name === null })],
    apply(m, body) {
      const document = the(m.documents, body.id);
      const changed = document.name !== name || document.description !== description;
      Object.assign(document, { name, description });
      return changed ? ['document.updated'] : [];
    },
  };
}

/** Returns whether another user holds a workspace of the document. */
const heldByOthers = (m: Model, documentId: string, who: Who): boolean =>
  of(m.workspaces, documentId).some(({ heldBy }) => heldBy !== null && heldBy !== who);

export function archiveDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someId(m, pick, m.documents.keys()) ?? m.root;
  return {
    who,
    method: 'POST',
    path: `/documents/${id}/archive`,
    documents: [id],
    refusals: (m) => [
      ...roleRefusals(who),
      ...documentRefusals(m, id),
      ...when({ workspace_reserved: heldByOthers(m, id, who) }),
    ],
    apply(m) {
      the(m.documents, id).archived = true;
      return ['document.archived'];
    },
  };
}

export function unarchiveDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const archived = [...m.documents.values()].filter((document) => document.archived).map((document) => document.id);
  const id = someId(m, pick, archived.length ? archived : m.documents.keys()) ?? m.root;
  return {
    who,
    method: 'POST',
    path: `/documents/${id}/unarchive`,
    documents: [id],
    refusals: (m) => [...roleRefusals(who), ...when({ not_found: !m.documents.has(id) })],
    apply(m) {
      const document = the(m.documents, id);
      const changed = document.archived;
      document.archived = false;
      return changed ? ['document.unarchived'] : [];
    },
  };
}

export function deleteDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someId(m, pick, m.documents.keys()) ?? m.root;
  const used = (m: Model) =>
    allLines(m).some(({ state, line }) => state.documentId !== id && documentNamed(m, line.target)?.id === id);
  return {
    who,
    method: 'DELETE',
    path: `/documents/${id}`,
    documents: [id],
    refusals: (m) => [
      ...roleRefusals(who),
      ...documentRefusals(m, id),
      ...when({
        workspace_reserved: heldByOthers(m, id, who),
        document_released: (m.documents.get(id)?.releases ?? 0) > 0,
        document_in_use: used(m),
      }),
    ],
    apply(m) {
      m.buried.add(the(m.documents, id).number);
      for (const workspace of of(m.workspaces, id)) bury(m, m.workspaces, workspace.id);
      for (const state of of(m.states, id)) bury(m, m.states, state.id);
      bury(m, m.documents, id);
      return ['document.deleted'];
    },
  };
}

export function copyDocument(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someId(m, pick, m.documents.keys()) ?? m.root;
  const [given, name] = pick.chance(2) ? [undefined, undefined] : someName(pick);
  const number = someNumber(m, pick);
  const versionId = pick.chance(2)
    ? undefined
    : someId(
        m,
        pick,
        (pick.chance(6) ? [...m.states.values()] : of(m.states, id)).map((state) => state.id),
      );
  const original = (m: Model): State | undefined =>
    versionId
      ? m.states.get(versionId)
      : (versionsOf(m, id)[0] ??
        of(m.states, id).find((state) => m.workspaces.get(state.workspaceId)?.fromVersionId === null));
  return {
    who,
    method: 'POST',
    path: `/documents/${id}/copy`,
    body: { name: given, number, versionId },
    documents: [id],
    refusals: (m) => [
      ...roleRefusals(who),
      ...when({
        not_found: !m.documents.has(id) || !original(m),
        validation_failed: name === null,
        number_taken: taken(m, number),
        wrong_document: m.documents.has(id) && (original(m)?.documentId ?? id) !== id,
      }),
    ],
    apply(m, { id: copy, number, workspaces: [main] }) {
      const { kind, description, folderId, name: called } = the(m.documents, id);
      m.documents.set(copy, {
        id: copy,
        number,
        kind,
        description,
        folderId,
        name: name ?? called,
        archived: false,
        versions: 0,
        releases: 0,
      });
      const from = original(m)!;
      addWorkspace(m, main).files = new Map(from.files);
      return ['document.copied'];
    },
  };
}

export function moveDocuments(m: Model, pick: Choose, who: Who): ModelCommand {
  const ids = Array.from({ length: 1 + pick.number(3) }, () => someId(m, pick, m.documents.keys()) ?? m.root);
  const folderId = pick.of([null, someFolder(m, pick), someFolder(m, pick)])!;
  return {
    who,
    method: 'POST',
    path: '/documents/move',
    body: { ids, folderId },
    documents: ids,
    refusals: (m) => [
      ...roleRefusals(who),
      ...when({ not_found: folderId !== null && !m.folders.has(folderId) }),
      ...ids.flatMap((id) => documentRefusals(m, id)),
    ],
    apply(m) {
      const moved = new Set(ids.filter((id) => the(m.documents, id).folderId !== folderId));
      for (const id of moved) the(m.documents, id).folderId = folderId;
      return [...moved].map(() => 'document.moved');
    },
  };
}

/** The names from the root folder of the history down. */
function above(m: Model, id: string): string[] {
  const folder = m.folders.get(id);
  return folder ? [...above(m, folder.parentId), id] : [];
}
const MAX_DEPTH = 16;

function folderRefusals(m: Model, id: string | null, name: string | null | undefined, parentId: string): string[] {
  if (!m.folders.has(parentId)) return ['not_found'];
  const place = above(m, parentId);
  const height = id
    ? Math.max(
        ...[...m.folders.keys()]
          .map((each) => above(m, each))
          .filter((line) => line.includes(id))
          .map((line) => line.length - line.indexOf(id)),
      )
    : 1;
  const moves = id === null || m.folders.get(id)?.parentId !== parentId;
  const siblings = [...m.folders.values()].filter((folder) => folder.id !== id && folder.parentId === parentId);
  const called = name ?? m.folders.get(id ?? '')?.name ?? '';
  return when({
    folder_cycle: id !== null && place.includes(id),
    validation_failed: name === null || name?.includes('/') === true || (moves && place.length + height > MAX_DEPTH),
    name_taken: name !== null && siblings.some((folder) => sameName(folder.name, called)),
  });
}

export function createFolder(m: Model, pick: Choose, who: Who): ModelCommand {
  const [[given, name], parentId] = [
    someName(pick),
    pick.chance(2) ? ([...m.folders.keys()].at(-1) ?? m.root) : someFolder(m, pick),
  ];
  return {
    who,
    method: 'POST',
    path: '/folders',
    body: { name: given, parentId },
    documents: [],
    refusals: (m) => [...roleRefusals(who), ...folderRefusals(m, null, name, parentId)],
    apply(m, { id }) {
      m.folders.set(id, { id, name: name!, parentId });
      return ['folder.created'];
    },
  };
}

export function updateFolder(m: Model, pick: Choose, who: Who): ModelCommand {
  const id =
    someId(
      m,
      pick,
      [...m.folders.keys()].filter((each) => each !== m.root),
    ) ?? 'fld_none';
  const [given, name] = pick.chance(2) ? [undefined, undefined] : someName(pick);
  const parentId = pick.chance(2) ? undefined : someFolder(m, pick);
  return {
    who,
    method: 'PATCH',
    path: `/folders/${id}`,
    body: { name: given, parentId },
    documents: [],
    refusals: (m) => [
      ...roleRefusals(who),
      ...(m.folders.has(id) ? folderRefusals(m, id, name, parentId ?? the(m.folders, id).parentId) : ['not_found']),
    ],
    apply(m) {
      const folder = the(m.folders, id);
      const after = { ...folder, name: name ?? folder.name, parentId: parentId ?? folder.parentId };
      m.folders.set(id, after);
      return after.name !== folder.name || after.parentId !== folder.parentId ? ['folder.updated'] : [];
    },
  };
}

export function deleteFolder(m: Model, pick: Choose, who: Who): ModelCommand {
  const id =
    someId(
      m,
      pick,
      [...m.folders.keys()].filter((each) => each !== m.root),
    ) ?? 'fld_none';
  const held = (m: Model) =>
    [...m.folders.values()].some((folder) => folder.parentId === id) ||
    [...m.documents.values()].some((document) => document.folderId === id);
  return {
    who,
    method: 'DELETE',
    path: `/folders/${id}`,
    documents: [],
    refusals: (m) => [
      ...roleRefusals(who),
      ...(m.folders.has(id) ? when({ folder_not_empty: held(m) }) : ['not_found']),
    ],
    apply(m) {
      bury(m, m.folders, id);
      return ['folder.deleted'];
    },
  };
}
