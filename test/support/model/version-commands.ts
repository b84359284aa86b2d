// Versions and their releases.
import {
  bury,
  contentRefusals,
  cycleRefusals,
  documentOf,
  documentRefusals,
  draftRefusals,
  type ModelCommand,
  roleRefusals,
  someWorkspace,
  the,
  when,
} from './model-command.ts';
import { type Choose, COMMENTS, someId, someName } from './random-input.ts';
import { allLines, documentNamed, linesOf, type Model, resolved, type State, type Who } from './state.ts';

export function createVersion(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someWorkspace(m, pick);
  const [[given, name], [said, comment]] = [
    pick.chance(2) ? [undefined, undefined] : someName(pick),
    pick.of(COMMENTS)!,
  ];
  const draftOf = (m: Model): State | undefined => m.states.get(m.workspaces.get(id)?.draftId ?? '');
  const unresolved = (m: Model, draft = draftOf(m)): boolean =>
    draft !== undefined && linesOf(draft).some((line) => !resolved(m, line));
  return {
    who,
    method: 'POST',
    path: `/workspaces/${id}/versions`,
    body: { name: given, comment: said },
    documents: [documentOf(m, id)],
    refusals: (m) => [
      ...roleRefusals(who),
      ...draftRefusals(m, id, who),
      ...when({ validation_failed: name === null, unresolved_reference: unresolved(m) }),
      ...cycleRefusals(m, documentOf(m, id), draftOf(m)),
    ],
    apply(m, body) {
      const document = the(m.documents, documentOf(m, id));
      const draft = draftOf(m)!;
      const n = ++document.versions;
      const frozen = linesOf(draft).map((line) => resolved(m, line)!.id);
      const version = { ...draft, id: body.id, n, name: name ?? `V${n}`, comment, files: new Map(draft.files), frozen };
      m.states.set(body.id, version);
      Object.assign(draft, { basedOn: body.id, parents: [body.id], restoredFrom: null });
      return ['version.created'];
    },
  };
}

export function updateVersion(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someId(m, pick, m.states.keys()) ?? m.root;
  const [[given, name], [said, comment]] = [someName(pick), pick.of(COMMENTS)!];
  return {
    who,
    method: 'PATCH',
    path: `/versions/${id}`,
    body: { name: given, comment: said },
    documents: [m.states.get(id)?.documentId ?? m.root],
    refusals: (m) => [
      ...roleRefusals(who),
      ...contentRefusals(m, id, who).filter((code) => code !== 'not_a_draft'),
      ...when({ validation_failed: name === null }),
    ],
    apply(m) {
      const state = the(m.states, id);
      const changed = state.name !== name || state.comment !== comment;
      Object.assign(state, { name, comment });
      return changed ? [state.n === null ? 'draft.updated' : 'version.updated'] : [];
    },
  };
}

// labels of the first twenty releases of a document, more than any history has
const LABELS = 'ABCDEFGHJKLMNPRTUVWY';

export function releaseVersion(m: Model, pick: Choose, who: Who): ModelCommand {
  const versions = [...m.states.values()].filter(({ n }) => n !== null).map(({ id }) => id);
  const id = someId(m, pick, versions.length && !pick.chance(10) ? versions : m.states.keys()) ?? m.root;
  const [said, comment] = pick.of(COMMENTS)!;
  const documentId = m.states.get(id)?.documentId ?? m.root;
  return {
    who,
    method: 'POST',
    path: `/versions/${id}/release`,
    body: { comment: said },
    documents: [documentId],
    refusals: (m) => [
      ...roleRefusals(who),
      ...(m.states.has(id) ? documentRefusals(m, documentId) : ['not_found']),
      ...when({
        not_a_version: m.states.get(id)?.n === null,
        already_released: [...m.revisions.values()].some(({ versionId }) => versionId === id),
      }),
    ],
    apply(m, body) {
      const ordinal = ++the(m.documents, documentId).releases;
      m.revisions.set(body.id, {
        id: body.id,
        documentId,
        versionId: id,
        label: LABELS.charAt(ordinal - 1),
        ordinal,
        comment,
        obsolete: false,
      });
      return ['version.released'];
    },
  };
}

const someRevision = (m: Model, pick: Choose): string => someId(m, pick, m.revisions.keys()) ?? m.root;

/** Refusals of a write to a revision. */
function revisionRefusals(m: Model, id: string, who: Who): string[] {
  const revision = m.revisions.get(id);
  return [...roleRefusals(who), ...(revision ? documentRefusals(m, revision.documentId) : ['not_found'])];
}

export function updateRevision(m: Model, pick: Choose, who: Who): ModelCommand {
  const [id, [said, comment]] = [someRevision(m, pick), pick.of(COMMENTS)!];
  return {
    who,
    method: 'PATCH',
    path: `/revisions/${id}`,
    body: { comment: said },
    documents: [m.revisions.get(id)?.documentId ?? m.root],
    refusals: (m) => revisionRefusals(m, id, who),
    apply(m) {
      const revision = the(m.revisions, id);
      const changed = revision.comment !== comment;
      revision.comment = comment;
      return changed ? ['revision.updated'] : [];
    },
  };
}

export function makeObsolete(m: Model, pick: Choose, who: Who): ModelCommand {
  const id = someRevision(m, pick);
  return {
    who,
    method: 'POST',
    path: `/revisions/${id}/obsolete`,
    documents: [m.revisions.get(id)?.documentId ?? m.root],
    refusals: (m) => [
      ...revisionRefusals(m, id, who),
      ...when({ already_obsolete: m.revisions.get(id)?.obsolete === true }),
    ],
    apply(m) {
      the(m.revisions, id).obsolete = true;
      return ['revision.obsoleted'];
    },
  };
}

export function takeBackRevision(m: Model, pick: Choose, caller: Who): ModelCommand {
  const [id, who] = [someRevision(m, pick), pick.of<Who>(['admin', 'admin', caller])!];
  const inUse = (m: Model): boolean => {
    const { documentId, label } = m.revisions.get(id) ?? {};
    return allLines(m).some(
      ({ state, line }) =>
        state.documentId !== documentId && line.at === `@${label}` && documentNamed(m, line.target)?.id === documentId,
    );
  };
  return {
    who,
    method: 'DELETE',
    path: `/revisions/${id}`,
    documents: [m.revisions.get(id)?.documentId ?? m.root],
    refusals: (m) =>
      who === 'admin'
        ? [...revisionRefusals(m, id, who), ...when({ revision_in_use: inUse(m) })]
        : ['admin_only', 'forbidden'],
    apply(m) {
      bury(m, m.revisions, id);
      return ['revision.taken_back'];
    },
  };
}
