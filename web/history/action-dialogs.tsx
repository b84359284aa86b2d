// The dialogs of the version actions. Actions without input have no dialog.
import type { ComponentChild } from 'preact';
import { ReleaseDialog } from '../document/release-dialog.tsx';
import { CheckinRequestDialog } from '../reservations/checkin-request-dialog.tsx';
import { NewWorkspaceDialog, ReplaceDraftDialog, UndoDialog } from './content-dialogs.tsx';
import { EditRevisionDialog, ObsoleteDialog, TakeBackDialog } from './revision-dialogs.tsx';
import type { ActionName, RevisionWithPermissions, VersionWithPermissions } from './version-actions.ts';
import { CopyDialog, CreateVersionDialog, EditVersionDialog } from './version-dialogs.tsx';
import { CheckOutDialog, DeleteWorkspaceDialog, EditWorkspaceDialog } from './workspace-dialogs.tsx';

/** An action that was chosen for a draft or version. */
export type VersionAction = {
  name: ActionName;
  version: VersionWithPermissions;
  revision: RevisionWithPermissions | null;
};

type DialogProps = { action: VersionAction; onClose: () => void };

export function ActionDialog({ action: { name, version, revision }, onClose }: DialogProps) {
  const versionProps = { version, onClose };
  const revisionProps = revision && { versionId: version.id, revision, onClose };
  const dialogs: Partial<Record<ActionName, () => ComponentChild>> = {
    createVersion: () => <CreateVersionDialog {...versionProps} />,
    edit: () => <EditVersionDialog {...versionProps} />,
    copy: () => <CopyDialog {...versionProps} />,
    release: () => <ReleaseDialog versionId={version.id} onClose={onClose} />,
    editRevision: () => revisionProps && <EditRevisionDialog {...revisionProps} />,
    obsolete: () => revisionProps && <ObsoleteDialog {...revisionProps} />,
    takeBack: () => revisionProps && <TakeBackDialog {...revisionProps} />,
    newWorkspace: () => <NewWorkspaceDialog {...versionProps} />,
    restore: () => <ReplaceDraftDialog {...versionProps} action="restore" />,
    takeOver: () => <ReplaceDraftDialog {...versionProps} action="takeOver" />,
    undo: () => <UndoDialog {...versionProps} />,
    checkOut: () => <CheckOutDialog {...versionProps} />,
    requestCheckin: () => {
      const { workspace } = version;
      return (
        workspace.reservation && (
          <CheckinRequestDialog workspaceId={workspace.id} reservation={workspace.reservation} onClose={onClose} />
        )
      );
    },
    renameWorkspace: () => <EditWorkspaceDialog {...versionProps} />,
    deleteWorkspace: () => <DeleteWorkspaceDialog {...versionProps} />,
  };
  return <>{dialogs[name]?.()}</>;
}
