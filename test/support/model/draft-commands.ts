// Commands that replace the content of a draft: take-overs, restores, and their undo.
import {
  cycleRefusals,
  documentOf,
  draftRefusals,
  type ModelCommand,
  roleRefusals,
  someVersion,
  someWorkspace,
  sourceRefusals,
  the,
  when,
} from './model-command.ts';
import { type Choose, someId } from './random-input.ts';
import { type Model, type State, versionsOf, type Who } from './state.ts';

export function takeOver(m: Model, pick: Choose, who: Who): ModelCommand {
  const withVersions = [...m.workspaces.values()]
    .filter(({ documentId }) => versionsOf(m, documentId).length)
    .map(({ id }) => id);
  const id = someId(m, pick, withVersions.length ? withVersions : m.workspaces.keys()) ?? m.root;
  return replaceDraft(m, id, who, someVersion(m, pick, documentOf(m, id)), pick.of([undefined, false, true]));
}

export function restore(m: Model, pick: Choose, who: Who): ModelCommand {
  const withVersions = [...m.workspaces.values()]
    .filter(({ documentId }) => versionsOf(m, documentId).length)
    .map(({ id }) => id);
  const id = someId(m, pick, withVersions.length ? withVersions : m.workspaces.keys()) ?? m.root;
  return replaceDraft(m, id, who, someVersion(m, pick, documentOf(m, id)), null);
}

/** A take-over, with or without force; null: a restore. */
function replaceDraft(
  m: Model,
  id: string,
  who: Who,
  versionId: string,
  force: boolean | undefined | null,
): ModelCommand {
  const [path, body] = force === null ? ['restore', { versionId }] : ['take-over', { versionId, force }];
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/${path}`,
    body,
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...draftRefusals(m, id, who),
      ...sourceRefusals(m, documentOf(m, id), versionId),
      ...when({ draft_would_lose: !force && force !== null && wouldLose(m, id) }),
      ...cycleRefusals(m, documentOf(m, id), m.states.get(versionId)),
    ],
    apply(m, { auditId }) {
      const draft = the(m.states, the(m.workspaces, id).draftId);
      keep(m, auditId, draft);
      draft.files = new Map(the(m.states, versionId).files);
      draft.parents = parents(draft.basedOn, [versionId]);
      draft.restoredFrom = force === null ? versionId : null;
      return [force === null ? 'draft.restored' : 'draft.taken_over'];
    },
  };
}

const parents = (basedOn: string | null, others: readonly string[]): string[] => [
  ...new Set([...(basedOn ? [basedOn] : []), ...others]),
];

function keep(m: Model, auditId: string, { workspaceId, files, parents, basedOn, restoredFrom }: State): void {
  m.kept.set(auditId, { workspaceId, files: new Map(files), parents: [...parents], basedOn, restoredFrom });
}

/** Returns whether the draft has a file that no version of its document has. */
function wouldLose(m: Model, workspaceId: string): boolean {
  const { documentId, draftId } = m.workspaces.get(workspaceId) ?? { documentId: '', draftId: '' };
  const held = versionsOf(m, documentId).flatMap(({ files }) => [...files]);
  return [...(m.states.get(draftId)?.files ?? [])].some(
    ([kind, { fileName, sha256 }]) =>
      !held.some(([other, file]) => other === kind && file.fileName === fileName && file.sha256 === sha256),
  );
}

export function undo(m: Model, pick: Choose, who: Who): ModelCommand {
  const auditId = someId(m, pick, m.kept.keys()) ?? m.root;
  const kept = m.kept.get(auditId);
  const id = kept && !pick.chance(10) ? kept.workspaceId : someWorkspace(m, pick);
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/undo`,
    body: { auditId },
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...draftRefusals(m, id, who),
      ...(m.kept.get(auditId)?.workspaceId === id ? cycleRefusals(m, documentOf(m, id), kept) : ['not_found']),
    ],
    apply(m, answer) {
      const draft = the(m.states, the(m.workspaces, id).draftId);
      const { files, parents: before, basedOn, restoredFrom } = the(m.kept, auditId);
      keep(m, answer.auditId, draft);
      draft.files = new Map(files);
      draft.parents = parents(
        draft.basedOn,
        before.filter((each) => each !== basedOn || each === restoredFrom),
      );
      draft.restoredFrom = restoredFrom;
      return ['draft.undone'];
    },
  };
}
