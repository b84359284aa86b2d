// The actions on a draft or version, always in the same order; unavailable actions carry a reason. Those of a revision
// are listed for released versions only.
import type { HistoryActionsQuery, HistoryRevisionQuery } from '../generated/operations.ts';
import type { Permission } from '../ui/action-button.tsx';
import type { IconName } from '../ui/icon.tsx';

export type VersionWithPermissions = NonNullable<HistoryActionsQuery['version']>;
export type RevisionWithPermissions = NonNullable<HistoryRevisionQuery['revision']>;
export type ActionName =
  | 'view'
  | 'compare'
  | 'edit'
  | 'createVersion'
  | 'upload'
  | 'checkOut'
  | 'checkIn'
  | 'requestCheckin'
  | 'forceCheckIn'
  | 'release'
  | 'editRevision'
  | 'obsolete'
  | 'takeBack'
  | 'newWorkspace'
  | 'restore'
  | 'takeOver'
  | 'undo'
  | 'copy'
  | 'renameWorkspace'
  | 'archiveWorkspace'
  | 'unarchiveWorkspace'
  | 'deleteWorkspace';
export type VersionActionEntry = {
  name: ActionName;
  label: string;
  icon?: IconName;
  permission: Permission;
  danger?: true;
};

/** Returns the name of a draft or version for use in a sentence. */
export function versionName({ n, workspace }: VersionWithPermissions): string {
  return n === null ? `the draft of ${workspace.name}` : `v${n}`;
}

const ALWAYS: Permission = { allowed: true };
const denied = (message: string): Permission => ({ allowed: false, message });

/** Returns the actions in groups. `revision` is that of a released version, else null. */
export function versionActions(
  version: VersionWithPermissions,
  revision: RevisionWithPermissions | null,
  canWrite: boolean,
): VersionActionEntry[][] {
  const { permissions, document, workspace } = version;
  const isDraft = version.type === 'draft';
  const writePermission = canWrite ? ALWAYS : denied('Viewers cannot change documents.');
  const viewActions: VersionActionEntry[] = [
    { name: 'view', label: 'View', icon: 'model', permission: ALWAYS },
    { name: 'compare', label: 'Compare…', permission: ALWAYS },
    { name: 'edit', label: 'Edit name and comment…', permission: permissions.canEdit },
  ];
  const newWorkspace: VersionActionEntry = {
    name: 'newWorkspace',
    label: 'New workspace from here…',
    icon: 'history',
    permission: permissions.canCreateWorkspace,
  };
  const copy: VersionActionEntry = {
    name: 'copy',
    label: 'Copy document from here…',
    icon: 'plus',
    permission: document.permissions.canCopy,
  };
  if (!isDraft) {
    const revisionActions: VersionActionEntry[] = revision
      ? [
          { name: 'editRevision', label: 'Edit revision comment…', permission: revision.permissions.canEdit },
          { name: 'obsolete', label: 'Make revision obsolete…', permission: revision.permissions.canObsolete },
          {
            name: 'takeBack',
            label: 'Take back revision…',
            permission: revision.permissions.canTakeBack,
            danger: true,
          },
        ]
      : [];
    return [
      viewActions,
      [{ name: 'release', label: 'Release…', icon: 'done', permission: permissions.canRelease }, ...revisionActions],
      [
        newWorkspace,
        { name: 'restore', label: 'Restore into a workspace…', icon: 'download', permission: writePermission },
        { name: 'takeOver', label: 'Take over into a workspace…', icon: 'right', permission: writePermission },
        copy,
      ],
    ];
  }
  const can = workspace.permissions;
  return [
    viewActions,
    [
      { name: 'createVersion', label: 'Create version…', icon: 'plus', permission: can.canCreateVersion },
      { name: 'upload', label: 'Upload files', icon: 'upload', permission: can.canUpload },
      { name: 'checkOut', label: 'Check out…', icon: 'lock', permission: can.canCheckout },
      { name: 'checkIn', label: 'Check in', permission: can.canCheckin },
      ...(workspace.reservation
        ? [
            requestCheckin(workspace.reservation.by.name, can.canRequestCheckin),
            forceCheckIn(workspace.reservation.by.name, can.canForceCheckin),
          ]
        : []),
      { name: 'undo', label: 'Undo a restore or take-over…', permission: can.canRestore },
      { name: 'release', label: 'Release…', icon: 'done', permission: permissions.canRelease },
    ],
    [
      { name: 'renameWorkspace', label: 'Rename workspace…', permission: can.canEdit },
      workspace.archived
        ? { name: 'unarchiveWorkspace', label: 'Unarchive workspace', permission: can.canUnarchive }
        : { name: 'archiveWorkspace', label: 'Archive workspace', permission: can.canArchive },
      { name: 'deleteWorkspace', label: 'Delete workspace…', permission: can.canDelete, danger: true },
    ],
    [newWorkspace, copy],
  ];
}

const requestCheckin = (holder: string, permission: Permission): VersionActionEntry => ({
  name: 'requestCheckin',
  label: `Request check-in from ${holder}…`,
  icon: 'ask',
  permission,
});
const forceCheckIn = (holder: string, permission: Permission): VersionActionEntry => ({
  name: 'forceCheckIn',
  label: `Force check-in (checked out by ${holder})`,
  permission,
  danger: true,
});
