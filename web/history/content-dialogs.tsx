// Dialogs that move content between the lines of a history: each says in words and in a picture what will happen.
import { useState } from 'preact/hooks';
import {
  HistoryNewWorkspaceDocument,
  HistoryRestoreDocument,
  HistoryTakeOverDocument,
  HistoryUndoableDocument,
  HistoryUndoDocument,
  HistoryWorkspacesDocument,
} from '../generated/operations.ts';
import { addressOf, go } from '../shell/addresses.ts';
import { ask, Refusal } from '../shell/ask.ts';
import { useAsk } from '../shell/use-ask.ts';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { bytes, dayAndTime } from '../ui/format.ts';
import { attempt, noteDone } from '../ui/notes.tsx';
import { Answer } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { DeedPicture } from './deed-picture.tsx';
import type { VersionWithDeeds } from './version-deeds.ts';
import { WorkspaceOptions } from './workspace-options.tsx';

type DialogProps = { version: VersionWithDeeds; onClose: () => void };

export function NewWorkspaceDialog({ version, onClose }: DialogProps) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={`New workspace from v${version.n}`}
      deed="Create the workspace"
      onClose={onClose}
      onSubmit={async (form) => {
        const { createWorkspace: made } = await ask(HistoryNewWorkspaceDocument, {
          documentId: version.document.id,
          fromVersionId: version.id,
          name: textOf(form, 'name') ?? '',
          description: textOf(form, 'description'),
        });
        go(addressOf.document(version.document.id, 'history', { version: made.draftId }));
        noteDone(`The workspace ${made.name} begins with v${version.n}.`);
      }}
    >
      <p>
        A workspace is a line of its own: it gets a draft with the files of v{version.n}, which can be changed and made
        into versions while others go on in {version.workspace.name}. Nothing there changes.
      </p>
      <DeedPicture of="newWorkspace" n={version.n} target={name || 'new'} />
      <label>
        Name
        <input
          name="name"
          required
          maxLength={100}
          autofocus
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <label>
        What it is for
        <textarea name="description" rows={2} />
      </label>
    </FormDialog>
  );
}

type Lost = { kind: string; changedAt: string; changedBy: { name: string } } & (
  | { what: 'file'; fileName: string; size: number }
  | { what: 'code'; repoUrl: string; ref: string; path: string }
);

const ANYWAY = 'Take over nevertheless';

/** Restore sets the draft back; a take-over makes the version a parent of it besides. */
export function IntoWorkspaceDialog({ version, deed, onClose }: DialogProps & { deed: 'restore' | 'takeOver' }) {
  const asked = useAsk(HistoryWorkspacesDocument, { id: version.document.id });
  const [chosen, setChosen] = useState('');
  const [lost, setLost] = useState<readonly Lost[] | null>(null);
  const workspaces = asked.data?.document?.workspaces ?? [];
  const may = (id: string) =>
    workspaces.find((each) => each.id === id)?.permissions[deed === 'restore' ? 'canRestore' : 'canTakeOver'];
  const first =
    workspaces.find(({ id }) => may(id)?.allowed && (deed === 'restore' || id !== version.workspace.id)) ??
    workspaces[0];
  const target = workspaces.find(({ id }) => id === chosen) ?? first;
  const refused = target && may(target.id);

  const submit = async (form: FormData) => {
    if (!target) return;
    const where = { workspaceId: target.id, versionId: version.id };
    try {
      const { auditId, keptUntil } =
        deed === 'restore'
          ? (await ask(HistoryRestoreDocument, where)).restoreVersion
          : (await ask(HistoryTakeOverDocument, { ...where, force: form.get('force') !== null })).takeOver;
      noteDone(
        `The draft of ${target.name} now has the content of v${version.n}. What it held is kept until ${dayAndTime(keptUntil)}.`,
        {
          label: 'Undo',
          run: () =>
            void attempt(
              () => ask(HistoryUndoDocument, { workspaceId: target.id, auditId }),
              `The draft of ${target.name} is as it was.`,
            ),
        },
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'draft_would_lose' || !Array.isArray(error.data.lost))
        throw error;
      setLost(error.data.lost);
      throw new Error(`The draft holds what no version holds. Make a version of it first, or tick “${ANYWAY}”.`);
    }
  };

  return (
    <FormDialog
      title={deed === 'restore' ? `Restore v${version.n} into a workspace` : `Take v${version.n} over into a workspace`}
      deed={deed === 'restore' ? 'Restore' : 'Take over'}
      danger={lost !== null}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        {deed === 'restore'
          ? `The draft is set back: its files are replaced by those of v${version.n}. It goes on in its own line.`
          : `The files of the draft are replaced by those of v${version.n}, and the draft descends from v${version.n} besides what it continues. Nothing is merged inside files.`}{' '}
        What the draft holds now is kept for a while and can be brought back.
      </p>
      <Answer of={asked}>
        {() => (
          <>
            <DeedPicture of={deed} n={version.n} target={target?.name} />
            <label>
              Workspace
              <select
                value={target?.id}
                onChange={({ currentTarget }) => {
                  setChosen(currentTarget.value);
                  setLost(null);
                }}
              >
                <WorkspaceOptions workspaces={workspaces} />
              </select>
            </label>
            {refused && !refused.allowed && <p class="problem">{refused.message}</p>}
          </>
        )}
      </Answer>
      {lost && (
        <>
          <ul class="lost">
            {lost.map((each) => (
              <li key={`${each.what} ${each.kind}`}>
                <b>{each.what === 'file' ? each.fileName : each.repoUrl}</b>{' '}
                <span class="quiet">
                  {each.what === 'file'
                    ? `${each.kind}, ${bytes(each.size)}`
                    : `${each.ref}, folder ${each.path || '/'}`}
                  {`, by ${each.changedBy.name}`}
                </span>{' '}
                <Time at={each.changedAt} />
              </li>
            ))}
          </ul>
          <label class="inline">
            <input type="checkbox" name="force" required /> {ANYWAY}
          </label>
        </>
      )}
    </FormDialog>
  );
}

const REPLACED = ['draft.taken_over', 'draft.restored', 'draft.undone'];

/** Brings back what the draft held before an earlier change of its whole content. */
export function UndoDialog({ version, onClose }: DialogProps) {
  const asked = useAsk(HistoryUndoableDocument, { versionId: version.id });
  const changes = asked.data?.versionAudit.items.filter(({ action }) => REPLACED.includes(action)) ?? [];
  return (
    <FormDialog
      title={`Bring back what the draft of ${version.workspace.name} held`}
      deed="Bring back"
      onClose={onClose}
      onSubmit={async (form) => {
        const auditId = textOf(form, 'change');
        if (!auditId) throw new Error('There is nothing to bring back.');
        await ask(HistoryUndoDocument, { workspaceId: version.workspace.id, auditId });
        noteDone(`The draft of ${version.workspace.name} has what it held before.`);
      }}
    >
      <p>What the draft holds now is kept in turn, so that this can be undone too.</p>
      <Answer of={asked}>
        {() =>
          changes.length === 0 ? (
            <p class="quiet">Nothing was restored or taken over into this draft lately.</p>
          ) : (
            <fieldset class="one-of">
              <legend>As it was before</legend>
              {changes.map(({ id, summary, at, by }, place) => (
                <label key={id} class="inline">
                  <input type="radio" name="change" value={id} defaultChecked={place === 0} />
                  <span>
                    {summary} <span class="quiet">{by.name}</span> <Time at={at} />
                  </span>
                </label>
              ))}
            </fieldset>
          )
        }
      </Answer>
    </FormDialog>
  );
}
