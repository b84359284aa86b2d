// Workspaces and their reservations.
import {
  addWorkspace,
  bury,
  cycleRefusals,
  documentOf,
  documentRefusals,
  draftRefusals,
  type ModelCommand,
  placeRefusals,
  roleRefusals,
  someVersion,
  someWorkspace,
  sourceRefusals,
  the,
  when,
} from './model-command.ts';
import { type Choose, COMMENTS, sameName, someId, someName } from './random-input.ts';
import { type Model, of, versionsOf, type Who } from './state.ts';

const nameTaken = (m: Model, documentId: string, name: string | null | undefined, except?: string): boolean =>
  name != null &&
  of(m.workspaces, documentId).some((workspace) => workspace.id !== except && sameName(workspace.name, name));

export function createWorkspace(m: Model, pick: Choose, who: Who): ModelCommand {
  const withVersions = [...m.documents.keys()].filter((id) => versionsOf(m, id).length);
  const id = someId(m, pick, withVersions.length ? withVersions : m.documents.keys()) ?? m.root;
  const [[given, name], [said, description], fromVersionId] = [
    someName(pick),
    pick.of(COMMENTS)!,
    someVersion(m, pick, id),
  ];
  return {
    who,
    method: 'POST',
    path: `/documents/${id}/workspaces`,
    body: { name: given, description: said, fromVersionId },
    documents: [id],
    refusals: (m) => [
      ...roleRefusals(who),
      ...documentRefusals(m, id),
      ...sourceRefusals(m, id, fromVersionId),
      ...when({ validation_failed: name === null, name_taken: nameTaken(m, id, name) }),
      ...cycleRefusals(m, id, m.states.get(fromVersionId)),
    ],
    apply(m, body) {
      addWorkspace(m, { ...body, name, description, fromVersionId, documentId: id }).files = new Map(
        the(m.states, fromVersionId).files,
      );
      return ['workspace.created'];
    },
  };
}

export function updateWorkspace(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someWorkspace(m, pick);
  const [[given, name], [said, description]] = [someName(pick), pick.of(COMMENTS)!];
  return {
    who,
    method: 'PATCH',
    path: `/workspaces/${id}`,
    body: { name: given, description: said },
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...placeRefusals(m, id),
      ...when({ validation_failed: name === null, name_taken: nameTaken(m, documentOf(m, id), name, id) }),
    ],
    apply(m) {
      const workspace = the(m.workspaces, id);
      const changed = workspace.name !== name || workspace.description !== description;
      Object.assign(workspace, { name, description });
      return changed ? ['workspace.updated'] : [];
    },
  };
}

export function archiveWorkspace(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someWorkspace(m, pick);
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/archive`,
    documents: [documentOf(m, id)],
    refusals: (m) => [...roleRefusals(who), ...draftRefusals(m, id, who)],
    apply(m) {
      the(m.workspaces, id).archived = true;
      return ['workspace.archived'];
    },
  };
}

export function unarchiveWorkspace(m: Model, pick: Choose, who: Who): ModelCommand {
  const archived = [...m.workspaces.values()]
    .filter((workspace) => workspace.archived)
    .map((workspace) => workspace.id);
  const id = someId(m, pick, archived.length ? archived : m.workspaces.keys()) ?? m.root;
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/unarchive`,
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...(m.workspaces.has(id) ? documentRefusals(m, documentOf(m, id)) : ['not_found']),
    ],
    apply(m) {
      const workspace = the(m.workspaces, id);
      const changed = workspace.archived;
      workspace.archived = false;
      return changed ? ['workspace.unarchived'] : [];
    },
  };
}

export function deleteWorkspace(m: Model, pick: Choose, who: Who): ModelCommand {
  const branches = [...m.workspaces.values()].filter(({ fromVersionId }) => fromVersionId).map(({ id }) => id);
  const id = someId(m, pick, branches.length && !pick.chance(4) ? branches : m.workspaces.keys()) ?? m.root;
  return {
    who,
    method: 'DELETE',
    path: `/workspaces/${id}`,
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...draftRefusals(m, id, who),
      ...when({
        workspace_has_versions: versionsOf(m, documentOf(m, id)).some(({ workspaceId }) => workspaceId === id),
        last_workspace: m.workspaces.get(id)?.fromVersionId === null,
      }),
    ],
    apply(m) {
      bury(m, m.states, the(m.workspaces, id).draftId);
      bury(m, m.workspaces, id);
      return ['workspace.deleted'];
    },
  };
}

export function checkout(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someWorkspace(m, pick);
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/checkout`,
    body: { note: pick.of(COMMENTS)![0] },
    documents: [documentOf(m, id)],
    refusals: (m) => [...roleRefusals(who), ...draftRefusals(m, id, who)],
    apply(m) {
      the(m.workspaces, id).heldBy = who;
      return ['workspace.checked_out'];
    },
  };
}

export function checkin(m: Model, pick: Choose, who: Who): ModelCommand {
  const held = [...m.workspaces.values()].filter(({ heldBy }) => heldBy).map(({ id }) => id);
  const [id, force] = [someId(m, pick, held.length ? held : m.workspaces.keys()) ?? m.root, pick.chance(2)];
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/checkin`,
    body: { force },
    documents: [documentOf(m, id)],
    refusals: (m) => {
      const others = (m.workspaces.get(id)?.heldBy ?? who) !== who;
      return [
        ...roleRefusals(who),
        ...placeRefusals(m, id),
        ...when({ forbidden: others && !force, admin_only: others && force && who !== 'admin' }),
      ];
    },
    apply(m) {
      const workspace = the(m.workspaces, id);
      const held = workspace.heldBy !== null;
      workspace.heldBy = null;
      return held ? ['workspace.checked_in'] : [];
    },
  };
}

export function heartbeat(m: Model, pick: Choose, who: Who): ModelCommand {
  const held = [...m.workspaces.values()].filter(({ heldBy }) => heldBy).map(({ id }) => id);
  const id = someId(m, pick, held.length ? held : m.workspaces.keys()) ?? m.root;
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/checkout/heartbeat`,
    body: {},
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...draftRefusals(m, id, who),
      ...when({ lease_lost: m.workspaces.get(id)?.heldBy === null }),
    ],
    apply: () => [],
  };
}
