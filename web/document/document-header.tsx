// What the document is and how it stands, and what can be done with it as a whole.
import { OriginDocument } from '../generated/operations.ts';
import { addressOf } from '../shell/addresses.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Icon } from '../ui/icon.tsx';
import { attempt, noteDone } from '../ui/notes.tsx';
import { iconOf, Picture } from '../ui/picture.tsx';
import { Time } from '../ui/time.tsx';
import { DocumentDeeds } from './document-deeds.tsx';
import type { Shown, ShownDocument } from './document-page.tsx';
import { NameOf } from './name-of.tsx';
import { VersionBar } from './version-bar.tsx';
import { newestRevision } from './version-words.ts';

export function DocumentHeader(shown: Shown) {
  const { document, version, reload } = shown;
  return (
    <header class="document-head">
      <Picture url={version.thumbnailUrl ?? document.thumbnailUrl} kind={document.kind} size="medium" />
      <div class="document-what">
        <div class="row document-marks">
          <NumberOf number={document.number} />
          <span class="mark">
            <Icon name={iconOf(document.kind)} /> {document.kind}
          </span>
          <StateOf document={document} />
          <small class="cut">
            <a href={addressOf.documents(document.folder?.id ?? 'unfiled')}>
              {document.folder?.path.split('/').join(' › ') ?? 'Unfiled'}
            </a>
          </small>
        </div>
        <NameOf document={document} onChanged={reload} />
        <p class="quiet cut document-origin">
          {document.description && <span title={document.description}>{document.description} · </span>}
          <Origin document={document} />
          changed <Time at={document.updatedAt} /> by {document.updatedBy.name}
        </p>
      </div>
      <DocumentDeeds {...shown} />
      <VersionBar {...shown} />
    </header>
  );
}

function NumberOf({ number }: { number: string }) {
  const copy = () =>
    attempt(() => navigator.clipboard.writeText(number)).then((done) => done && noteDone(`${number} is copied.`));
  return (
    <span class="document-number mono">
      {number}
      <button
        type="button"
        class="bare"
        aria-label={`Copy the number ${number}`}
        title="Copy the number"
        onClick={() => void copy()}
      >
        <Icon name="copy" />
      </button>
    </span>
  );
}

function StateOf({ document }: { document: ShownDocument }) {
  const revision = newestRevision(document.revisions);
  return (
    <>
      {revision ? (
        <a
          class={`mark ${revision.obsolete ? 'bad' : 'good'}`}
          href={addressOf.document(document.id, '', { version: revision.versionId })}
          title={`v${revision.versionN} was released as revision ${revision.label}`}
        >
          {revision.obsolete ? <s>Rev {revision.label}</s> : `Rev ${revision.label}`}
          {revision.obsolete && ' obsolete'}
        </a>
      ) : (
        <span class="mark">not released</span>
      )}
      {document.archived && (
        <span class="mark warn">
          <Icon name="archive" /> archived
        </span>
      )}
    </>
  );
}

/** Where it came from, when a person did not begin it here. */
function Origin({
  document: { generator, generatorVersion, run, copiedFrom, importedFrom },
}: {
  document: ShownDocument;
}) {
  if (generator) {
    return (
      <>
        made by <a href={addressOf.document(generator.id)}>{generator.number}</a>
        {generatorVersion?.n && ` v${generatorVersion.n}`}
        {run && (
          <>
            {' '}
            in <a href={addressOf.run(run.id)}>a run</a>
          </>
        )}{' '}
        ·{' '}
      </>
    );
  }
  if (importedFrom) {
    return (
      <>
        from the file {importedFrom.fileName}
        {importedFrom.document && (
          <>
            {' '}
            of <a href={addressOf.document(importedFrom.document.id)}>{importedFrom.document.number}</a>
          </>
        )}{' '}
        ·{' '}
      </>
    );
  }
  return copiedFrom ? <CopyOf {...copiedFrom} /> : null;
}

function CopyOf({ documentId, versionId }: { documentId: string; versionId: string }) {
  const { data } = useAsk(OriginDocument, { id: documentId });
  return (
    <>
      copied from{' '}
      {data?.document ? (
        <a href={addressOf.document(documentId, '', { version: versionId })}>{data.document.number}</a>
      ) : (
        'a document that is deleted'
      )}{' '}
      ·{' '}
    </>
  );
}
