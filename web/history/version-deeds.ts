// What can be done with a draft or a version: always the same list in the same order; what is not possible now says why.
import type { HistoryDeedsQuery, HistoryRevisionQuery } from '../generated/operations.ts';
import type { Permitted } from '../ui/deed.tsx';
import type { IconName } from '../ui/icon.tsx';

export type VersionWithDeeds = NonNullable<HistoryDeedsQuery['version']>;
export type RevisionWithDeeds = NonNullable<HistoryRevisionQuery['revision']>;
export type DeedName =
  | 'view'
  | 'compare'
  | 'edit'
  | 'makeVersion'
  | 'upload'
  | 'checkOut'
  | 'checkIn'
  | 'askFor'
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
export type VersionDeed = { name: DeedName; label: string; icon?: IconName; may: Permitted; danger?: true };

/** What a draft or version is called in a sentence. */
export function nameOf({ n, workspace }: VersionWithDeeds): string {
  return n === null ? `the draft of ${workspace.name}` : `v${n}`;
}

const ALWAYS: Permitted = { allowed: true };
const no = (message: string): Permitted => ({ allowed: false, message });

/** The deeds in groups. `revision` is the one it was released as, null while there is none. */
export function deedsOf(
  version: VersionWithDeeds,
  revision: RevisionWithDeeds | null,
  mayWrite: boolean,
): VersionDeed[][] {
  const { permissions, document, workspace } = version;
  const isDraft = version.type === 'draft';
  const writer = mayWrite ? ALWAYS : no('Viewers cannot change documents.');
  const look: VersionDeed[] = [
    { name: 'view', label: 'View', icon: 'model', may: ALWAYS },
    { name: 'compare', label: 'Compare with another', may: ALWAYS },
    { name: 'edit', label: 'Edit name and comment…', may: permissions.canEdit },
  ];
  const branch: VersionDeed[] = [
    { name: 'newWorkspace', label: 'New workspace from here…', icon: 'history', may: permissions.canCreateWorkspace },
    { name: 'copy', label: 'Copy document from here…', icon: 'plus', may: document.permissions.canCopy },
  ];
  if (!isDraft) {
    const asRevision = (may: Permitted | undefined): Permitted => may ?? no('It has not been released.');
    return [
      look,
      [
        { name: 'release', label: 'Release…', icon: 'done', may: permissions.canRelease },
        {
          name: 'editRevision',
          label: 'Edit the comment of the revision…',
          may: asRevision(revision?.permissions.canEdit),
        },
        { name: 'obsolete', label: 'Make the revision obsolete…', may: asRevision(revision?.permissions.canObsolete) },
        {
          name: 'takeBack',
          label: 'Take the revision back…',
          may: asRevision(revision?.permissions.canTakeBack),
          danger: true,
        },
      ],
      [
        ...branch.slice(0, 1),
        { name: 'restore', label: 'Restore into a workspace…', icon: 'download', may: writer },
        { name: 'takeOver', label: 'Take over into a workspace…', icon: 'right', may: writer },
        ...branch.slice(1),
      ],
    ];
  }
  const can = workspace.permissions;
  return [
    look,
    [
      { name: 'makeVersion', label: 'Make a version…', icon: 'plus', may: can.canMakeVersion },
      { name: 'upload', label: 'Upload files', icon: 'upload', may: can.canUpload },
      { name: 'checkOut', label: 'Check out…', icon: 'lock', may: can.canCheckout },
      { name: 'checkIn', label: 'Check in', may: can.canCheckin },
      ...(workspace.reservation
        ? [
            asking(workspace.reservation.by.name, can.canAskFor),
            forced(workspace.reservation.by.name, can.canForceCheckin),
          ]
        : []),
      { name: 'undo', label: 'Undo a restore or take-over…', may: can.canRestore },
      { name: 'release', label: 'Release…', icon: 'done', may: permissions.canRelease },
    ],
    [
      { name: 'renameWorkspace', label: 'Rename the workspace…', may: can.canRename },
      workspace.archived
        ? { name: 'unarchiveWorkspace', label: 'Bring the workspace back', may: can.canUnarchive }
        : { name: 'archiveWorkspace', label: 'Archive the workspace', may: can.canArchive },
      { name: 'deleteWorkspace', label: 'Delete the workspace…', may: can.canDelete, danger: true },
    ],
    branch,
  ];
}

const asking = (name: string, may: Permitted): VersionDeed => ({
  name: 'askFor',
  label: `Ask ${name} for it…`,
  icon: 'ask',
  may,
});
const forced = (name: string, may: Permitted): VersionDeed => ({
  name: 'forceCheckIn',
  label: `Check in what ${name} holds…`,
  may,
  danger: true,
});
