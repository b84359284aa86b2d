// Which deed has which dialog; deeds without questions have none.
import type { ComponentChild } from 'preact';
import { ReleaseDialog } from '../document/release-dialog.tsx';
import { AskForDialog } from '../reservations/ask-for-dialog.tsx';
import { IntoWorkspaceDialog, NewWorkspaceDialog, UndoDialog } from './content-dialogs.tsx';
import { EditRevisionDialog, ObsoleteDialog, TakeBackDialog } from './revision-dialogs.tsx';
import type { DeedName, RevisionWithDeeds, VersionWithDeeds } from './version-deeds.ts';
import { CopyDialog, EditVersionDialog, MakeVersionDialog } from './version-dialogs.tsx';
import { CheckOutDialog, DeleteWorkspaceDialog, EditWorkspaceDialog } from './workspace-dialogs.tsx';

export type OpenDeed = { name: DeedName; version: VersionWithDeeds; revision: RevisionWithDeeds | null };

export function DeedDialog({ deed: { name, version, revision }, onClose }: { deed: OpenDeed; onClose: () => void }) {
  const ofVersion = { version, onClose };
  const ofRevision = revision && { versionId: version.id, revision, onClose };
  const dialogs: Partial<Record<DeedName, () => ComponentChild>> = {
    makeVersion: () => <MakeVersionDialog {...ofVersion} />,
    edit: () => <EditVersionDialog {...ofVersion} />,
    copy: () => <CopyDialog {...ofVersion} />,
    release: () => <ReleaseDialog versionId={version.id} onClose={onClose} />,
    editRevision: () => ofRevision && <EditRevisionDialog {...ofRevision} />,
    obsolete: () => ofRevision && <ObsoleteDialog {...ofRevision} />,
    takeBack: () => ofRevision && <TakeBackDialog {...ofRevision} />,
    newWorkspace: () => <NewWorkspaceDialog {...ofVersion} />,
    restore: () => <IntoWorkspaceDialog {...ofVersion} deed="restore" />,
    takeOver: () => <IntoWorkspaceDialog {...ofVersion} deed="takeOver" />,
    undo: () => <UndoDialog {...ofVersion} />,
    checkOut: () => <CheckOutDialog {...ofVersion} />,
    askFor: () => {
      const { workspace } = version;
      return (
        workspace.reservation && (
          <AskForDialog workspace={workspace} reservation={workspace.reservation} onClose={onClose} />
        )
      );
    },
    renameWorkspace: () => <EditWorkspaceDialog {...ofVersion} />,
    deleteWorkspace: () => <DeleteWorkspaceDialog {...ofVersion} />,
  };
  return <>{dialogs[name]?.()}</>;
}
