import { useEffect } from 'preact/hooks';
import { HistoryDeedsDocument, HistoryRevisionDocument } from '../generated/operations.ts';
import { ofDocument } from '../shell/live.ts';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Menu, type Spot } from '../ui/menu.tsx';
import { noteProblem } from '../ui/notes.tsx';
import type { OpenDeed } from './deed-dialogs.tsx';
import { deedsOf } from './version-deeds.ts';

type MenuProps = {
  documentId: string;
  versionId: string;
  spot: Spot;
  onClose: () => void;
  onDeed: (deed: OpenDeed) => void;
};

/** Everything that can be done with a draft or version, asked when it is opened. */
export function VersionMenu({ documentId, versionId, spot, onClose, onDeed }: MenuProps) {
  const { data, error } = useAsk(HistoryDeedsDocument, { id: versionId }, ofDocument(documentId));
  const version = data?.version;
  const revisionId = version?.releasedAs?.revisionId;
  const asked = useAsk(HistoryRevisionDocument, revisionId ? { id: revisionId } : null, ofDocument(documentId));
  const revision = asked.data?.revision ?? null;
  const problem = error ?? asked.error;
  useEffect(() => {
    if (!problem) return;
    noteProblem(problem);
    onClose();
  }, [problem]);
  const ready = version && (!revisionId || revision);
  const groups = ready
    ? deedsOf(version, revision, mayWrite()).map((group) =>
        group.map(({ name, ...deed }) => ({ ...deed, id: name, run: () => onDeed({ name, version, revision }) })),
      )
    : [];
  return <Menu label={version?.n ? `v${version.n}` : 'Draft'} groups={groups} spot={spot} onClose={onClose} />;
}
