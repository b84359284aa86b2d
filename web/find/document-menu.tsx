import { navigate, urlFor } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import { archiveAll, checkInAll, checkOutAll, downloadAll, unarchiveAll } from './list-actions.ts';
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
          { id: 'out', label: 'Check out', icon: 'lock', permission, run: () => void checkOutAll(documents) },
          { id: 'in', label: 'Check in', permission, run: () => void checkInAll(documents) },
          { id: 'release', label: 'Release…', icon: 'release', permission, run: onRelease },
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
