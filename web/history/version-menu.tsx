import { useEffect } from 'preact/hooks';
import { HistoryActionsDocument, HistoryRevisionDocument } from '../generated/operations.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { canWrite } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { showError } from '../ui/toasts.tsx';
import type { VersionAction } from './action-dialogs.tsx';
import { versionActions } from './version-actions.ts';

type MenuProps = {
  documentId: string;
  versionId: string;
  position: MenuPosition;
  onClose: () => void;
  onAction: (action: VersionAction) => void;
};

/** The menu of all actions for a draft or version; loads the permissions when it opens. */
export function VersionMenu({ documentId, versionId, position, onClose, onAction }: MenuProps) {
  const { data, error } = useQuery(HistoryActionsDocument, { id: versionId }, isAboutDocument(documentId));
  const version = data?.version;
  const revisionId = version?.releasedAs?.revisionId;
  const revisionQuery = useQuery(
    HistoryRevisionDocument,
    revisionId ? { id: revisionId } : null,
    isAboutDocument(documentId),
  );
  const revision = revisionQuery.data?.revision ?? null;
  const failure = error ?? revisionQuery.error;
  useEffect(() => {
    if (!failure) return;
    showError(failure);
    onClose();
  }, [failure]);
  const isLoaded = version && (!revisionId || revision);
  const groups = isLoaded
    ? versionActions(version, revision, canWrite()).map((group) =>
        group.map(({ name, ...entry }) => ({ ...entry, id: name, run: () => onAction({ name, version, revision }) })),
      )
    : [];
  return <Menu label={version?.n ? `v${version.n}` : 'Draft'} groups={groups} position={position} onClose={onClose} />;
}
