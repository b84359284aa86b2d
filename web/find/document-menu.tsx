import { navigate, urlFor } from '../shell/router.ts';
import { canWrite, currentUser } from '../shell/session.ts';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { archiveAll, checkInAll, checkOutAll, downloadAll, holderOf, unarchiveAll } from './list-actions.ts';
import { releaseCandidates } from './release-candidates.ts';
import type { ListedDocument } from './use-document-list.ts';

type Props = {
  documents: readonly ListedDocument[];
  position: MenuPosition;
  onMove: () => void;
  onRelease: () => void;
  onClose: () => void;
};

/** The menu of the selected documents. */
export function DocumentMenu({ documents, position, onMove, onRelease, onClose }: Props) {
  const permission = canWrite() ? undefined : { allowed: false, message: 'Viewers cannot change documents.' };
  const [single] = documents.length === 1 ? documents : [];
  const mine = documents.filter((each) => holderOf(each)?.id === currentUser.value?.id);
  const free = documents.filter((each) => !each.archived && !holderOf(each));
  const name = single?.number ?? 'None of the documents';
  const needs = (isPossible: boolean, message: string) =>
    permission ?? (isPossible ? undefined : { allowed: false, message });
  const checkOutPermission = needs(free.length > 0, whyNotFree(single));
  const checkInPermission = needs(
    mine.length > 0,
    `${name} is ${single ? 'not ' : ''}checked out by you${single ? ' in its main workspace' : ''}.`,
  );
  const releasePermission = needs(
    releaseCandidates(documents).length > 0,
    `${name} has ${single ? 'no' : 'a'} version that is not released yet.`,
  );
  const allArchived = documents.every(({ archived }) => archived);
  return (
    <Menu
      label={single ? `Actions for ${single.number}` : `Actions for ${documents.length} documents`}
      position={position}
      onClose={onClose}
      groups={[
        single
          ? [
              { id: 'open', label: 'Open', icon: 'model', run: () => navigate(urlFor.document(single.id)) },
              {
                id: 'history',
                label: 'Open history',
                icon: 'history',
                run: () => navigate(urlFor.document(single.id, 'history')),
              },
              {
                id: 'copy',
                label: 'Copy number',
                icon: 'copy',
                run: () =>
                  void runWithToast(() => navigator.clipboard.writeText(single.number), `Copied ${single.number}.`),
              },
            ]
          : [],
        [
          {
            id: 'download',
            label: 'Download files (ZIP)',
            icon: 'download',
            run: () => void downloadAll(documents),
          },
        ],
        [
          {
            id: 'out',
            label: 'Check out',
            icon: 'lock',
            permission: checkOutPermission,
            run: () => void checkOutAll(free),
          },
          { id: 'in', label: 'Check in', permission: checkInPermission, run: () => void checkInAll(mine) },
          { id: 'release', label: 'Release…', icon: 'release', permission: releasePermission, run: onRelease },
        ],
        [
          { id: 'move', label: 'Move…', icon: 'right', permission, run: onMove },
          allArchived
            ? {
                id: 'unarchive',
                label: 'Unarchive',
                icon: 'archive',
                permission,
                run: () => void unarchiveAll(documents),
              }
            : {
                id: 'archive',
                label: 'Archive',
                icon: 'archive',
                permission,
                run: () => void archiveAll(documents.filter(({ archived }) => !archived)),
              },
        ],
      ]}
    />
  );
}

function whyNotFree(single: ListedDocument | undefined): string {
  if (!single) return 'All of the documents are checked out or archived.';
  if (single.archived) return `${single.number} is archived.`;
  const holder = holderOf(single);
  return `${single.number} is checked out by ${holder?.id === currentUser.value?.id ? 'you' : (holder?.name ?? 'someone')}.`;
}
