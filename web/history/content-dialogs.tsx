// Dialogs that create a workspace or replace the content of a draft, with a diagram of the effect.
import { useState } from 'preact/hooks';
import {
  HistoryCreateWorkspaceDocument,
  HistoryRestoreDocument,
  HistoryTakeOverDocument,
  HistoryUndoDocument,
  HistoryUndoStateDocument,
  HistoryWorkspacesDocument,
} from '../generated/operations.ts';
import { ApiError, execute } from '../shell/api-client.ts';
import { navigate, urlFor } from '../shell/router.ts';
import { useQuery } from '../shell/use-query.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { formatBytes, formatDateTime } from '../ui/format.ts';
import { QueryView } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { runWithToast, showSuccess, showUndoable } from '../ui/toasts.tsx';
import { ActionDiagram } from './action-diagram.tsx';
import type { VersionWithPermissions } from './version-actions.ts';
import { WorkspaceOptions } from './workspace-options.tsx';

type DialogProps = { version: VersionWithPermissions; onClose: () => void };

export function NewWorkspaceDialog({ version, onClose }: DialogProps) {
  const [name, setName] = useState('');
  return (
    <FormDialog
      title={`New workspace from v${version.n}`}
      help="guide#versions"
      submitLabel="Create workspace"
      onClose={onClose}
      onSubmit={async (form) => {
        const { createWorkspace: created } = await execute(HistoryCreateWorkspaceDocument, {
          documentId: version.document.id,
          fromVersionId: version.id,
          name: formValue(form, 'name') ?? '',
          description: formValue(form, 'description'),
        });
        navigate(urlFor.document(version.document.id, 'history', { version: created.draftId }));
        showSuccess(`Created workspace ${created.name} from v${version.n}.`);
      }}
    >
      <p>
        A workspace is a branch with its own draft. The draft starts with the files of v{version.n}; changes to it do
        not affect {version.workspace.name}.
      </p>
      <ActionDiagram action="newWorkspace" n={version.n} target={name || 'new'} />
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
        Description
        <textarea name="description" rows={2} />
      </label>
    </FormDialog>
  );
}

type LostItem = { kind: string; changedAt: string; changedBy: { name: string } } & (
  | { what: 'file'; fileName: string; size: number }
  | { what: 'code'; repoUrl: string; ref: string; path: string }
);

const OVERRIDE = 'Discard these changes';

/** Replaces the content of a draft with that of a version; a take-over also makes the version a parent of the draft. */
export function ReplaceDraftDialog({ version, action, onClose }: DialogProps & { action: 'restore' | 'takeOver' }) {
  const query = useQuery(HistoryWorkspacesDocument, { id: version.document.id });
  const [selectedId, setSelectedId] = useState('');
  const [lost, setLost] = useState<readonly LostItem[] | null>(null);
  const isRestore = action === 'restore';
  // the draft of its own workspace already descends from the version: restoring suffices there
  const workspaces = (query.data?.document?.workspaces ?? []).filter(
    ({ id }) => isRestore || id !== version.workspace.id,
  );
  const permissionOf = (id: string) =>
    workspaces.find((each) => each.id === id)?.permissions[isRestore ? 'canRestore' : 'canTakeOver'];
  const defaultTarget = workspaces.find(({ id }) => permissionOf(id)?.allowed) ?? workspaces[0];
  const target = workspaces.find(({ id }) => id === selectedId) ?? defaultTarget;
  const permission = target && permissionOf(target.id);

  const submit = async (form: FormData) => {
    if (!target) throw new Error('Select a workspace.');
    const variables = { workspaceId: target.id, versionId: version.id };
    try {
      const { auditId, undoExpiresAt } = isRestore
        ? (await execute(HistoryRestoreDocument, variables)).restoreVersion
        : (await execute(HistoryTakeOverDocument, { ...variables, force: form.get('force') !== null })).takeOver;
      showUndoable(
        `Replaced the draft of ${target.name} with v${version.n}. Undo is possible until ${formatDateTime(undoExpiresAt)}.`,
        () =>
          void runWithToast(
            () => execute(HistoryUndoDocument, { workspaceId: target.id, auditId }),
            `Restored the previous draft of ${target.name}.`,
          ),
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'draft_would_lose' || !Array.isArray(error.data.lost))
        throw error;
      setLost(error.data.lost);
      throw new Error(
        `The draft has changes that are not in any version. Create a version first, or select “${OVERRIDE}”.`,
      );
    }
  };

  return (
    <FormDialog
      title={isRestore ? `Restore v${version.n} into a workspace` : `Take over v${version.n} into a workspace`}
      help="guide#versions"
      submitLabel={isRestore ? 'Restore' : 'Take over'}
      danger={lost !== null}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>
        Replaces the files of the draft with those of v{version.n}.{' '}
        {!isRestore && `v${version.n} becomes a second parent of the draft. File contents are not merged. `}
        The current content of the draft is kept for a while, so that you can undo the replacement.
      </p>
      <QueryView query={query}>
        {() =>
          workspaces.length === 0 ? (
            <p class="problem">
              The document has no other workspace. To bring v{version.n} back into {version.workspace.name}, use
              “Restore into a workspace…”.
            </p>
          ) : (
            <>
              <ActionDiagram action={action} n={version.n} target={target?.name} />
              <label>
                Workspace
                <select
                  value={target?.id}
                  onChange={({ currentTarget }) => {
                    setSelectedId(currentTarget.value);
                    setLost(null);
                  }}
                >
                  <WorkspaceOptions workspaces={workspaces} />
                </select>
              </label>
              {permission && !permission.allowed && <p class="problem">{permission.message}</p>}
            </>
          )
        }
      </QueryView>
      {lost && (
        <>
          <ul class="lost">
            {lost.map((each) => (
              <li key={`${each.what} ${each.kind}`}>
                <b>{each.what === 'file' ? each.fileName : each.repoUrl}</b>{' '}
                <span class="quiet">
                  {each.what === 'file'
                    ? `${each.kind}, ${formatBytes(each.size)}`
                    : `${each.ref}, folder ${each.path || '/'}`}
                  {`, by ${each.changedBy.name}`}
                </span>{' '}
                <Time at={each.changedAt} />
              </li>
            ))}
          </ul>
          <label class="inline">
            <input type="checkbox" name="force" required /> {OVERRIDE}
          </label>
        </>
      )}
    </FormDialog>
  );
}

const REPLACING_ACTIONS = ['draft.taken_over', 'draft.restored', 'draft.undone'];

/** Restores the content of the draft before a restore, take-over or undo. */
export function UndoDialog({ version, onClose }: DialogProps) {
  const query = useQuery(HistoryUndoStateDocument, { versionId: version.id });
  const changes = query.data?.versionAudit.items.filter(({ action }) => REPLACING_ACTIONS.includes(action)) ?? [];
  return (
    <FormDialog
      title={`Undo a change to the draft of ${version.workspace.name}`}
      submitLabel="Undo"
      onClose={onClose}
      onSubmit={async (form) => {
        const auditId = formValue(form, 'change');
        if (!auditId) throw new Error('There is nothing to undo.');
        await execute(HistoryUndoDocument, { workspaceId: version.workspace.id, auditId });
        showSuccess(`Restored the previous draft of ${version.workspace.name}.`);
      }}
    >
      <p>The current content of the draft is kept for a while, so that you can restore it again.</p>
      <QueryView query={query}>
        {() =>
          changes.length === 0 ? (
            <p class="quiet">No recent restore or take-over.</p>
          ) : (
            <fieldset class="radio-group">
              <legend>Which change to undo</legend>
              {changes.map(({ id, summary, at, by }, index) => (
                <label key={id} class="inline">
                  <input type="radio" name="change" value={id} defaultChecked={index === 0} />
                  <span>
                    {summary} <span class="quiet">{by.name}</span> <Time at={at} />
                  </span>
                </label>
              ))}
            </fieldset>
          )
        }
      </QueryView>
    </FormDialog>
  );
}
