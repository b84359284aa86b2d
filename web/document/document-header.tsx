import { Icon } from '../ui/icon.tsx';
import { noteDone } from '../ui/notes.tsx';
import { Picture } from '../ui/picture.tsx';
import type { Shown } from './document-page.tsx';
import { newestRevision } from './version-words.ts';

type HeaderProps = { document: Shown; versionId: string; onChanged: () => void };

/** What the document is and how it stands, and what can be done with it. */
export function DocumentHeader({ document }: HeaderProps) {
  return (
    <header class="document-head">
      <Picture url={document.thumbnailUrl} kind={document.kind} size="medium" />
      <div class="grow">
        <p class="row">
          <NumberOf number={document.number} />
          <span class="mark">{document.kind}</span>
          <Marks document={document} />
        </p>
        <h1>{document.name}</h1>
      </div>
    </header>
  );
}

function NumberOf({ number }: { number: string }) {
  const copy = () => navigator.clipboard.writeText(number).then(() => noteDone(`${number} is copied.`));
  return (
    <span class="mono">
      {number}{' '}
      <button type="button" class="bare" aria-label={`Copy the number ${number}`} title="Copy" onClick={() => void copy()}>
        <Icon name="copy" />
      </button>
    </span>
  );
}

function Marks({ document }: { document: Shown }) {
  const revision = newestRevision(document.revisions);
  return (
    <>
      {revision && (
        <span class={`mark ${revision.obsolete ? 'bad' : 'good'}`}>{`Rev ${revision.label}${revision.obsolete ? ', obsolete' : ''}`}</span>
      )}
      {document.archived && <span class="mark warn">archived</span>}
    </>
  );
}
