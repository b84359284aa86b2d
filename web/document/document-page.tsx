// One document: what it is and how it stands above, the views of it below. The tab is in the path, the draft or version in the query.
import type { ComponentChildren } from 'preact';
import { AuditTab } from '../audit/audit-tab.tsx';
import { DocumentPageDocument, type DocumentPageQuery } from '../generated/operations.ts';
import { HistoryTab } from '../history/history-tab.tsx';
import { JobsTab } from '../jobs/jobs-tab.tsx';
import { address, addressOf } from '../shell/addresses.ts';
import { ofDocument } from '../shell/live.ts';
import { me } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Answer, Nothing } from '../ui/state.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DocumentHeader } from './document-header.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { shownVersion } from './version-words.ts';

export type Shown = NonNullable<DocumentPageQuery['document']>;
type Views = { document: Shown; versionId: string };
type View = { id: string; label: string; kinds?: readonly Shown['kind'][]; draw: (views: Views) => ComponentChildren; hidden?: true };

const VIEWS: readonly View[] = [
  { id: '', label: 'Overview', draw: ({ document, versionId }) => <OverviewTab key={versionId} document={document} versionId={versionId} /> },
  { id: 'history', label: 'History', draw: ({ document }) => <HistoryTab key={document.id} documentId={document.id} /> },
  { id: 'jobs', label: 'Jobs', draw: ({ document }) => <JobsTab documentId={document.id} /> },
  { id: 'audit', label: 'Audit', draw: ({ document }) => <AuditTab documentId={document.id} /> },
];

export function DocumentPage({ id, tab }: { id: string; tab: string }) {
  const asked = useAsk(DocumentPageDocument, { id }, ofDocument(asIdOf(id)));
  return (
    <Answer of={asked}>
      {({ document }) =>
        document ? (
          <OneDocument document={document} tab={tab} onChanged={asked.reload} />
        ) : (
          <Nothing>
            There is no document {id}; it may have been deleted. <a href="/">To the documents</a>
          </Nothing>
        )
      }
    </Answer>
  );
}

// addresses may name a document by its number; events name it by its id
const ids = new Map<string, string>();
const asIdOf = (idOrNumber: string) => ids.get(idOrNumber) ?? idOrNumber;

function OneDocument({ document, tab, onChanged }: { document: Shown; tab: string; onChanged: () => void }) {
  const { query, steps } = address.value;
  if (steps[1]) ids.set(steps[1], document.id);
  const versionId = shownVersion(document.workspaces, query.get('version'), me.value?.id);
  const views = VIEWS.filter(({ kinds }) => !kinds || kinds.includes(document.kind));
  const view = views.find(({ id }) => id === tab);
  const kept: Record<string, string> = query.get('version') ? { version: query.get('version') ?? '' } : {};
  const tabs = views
    .filter(({ hidden }) => !hidden)
    .map(({ id, label }) => ({ id, label, href: addressOf.document(steps[1] ?? document.id, id, kept) }));
  if (!versionId) return <Nothing>This document has no workspace.</Nothing>;
  return (
    <article class="document-page" aria-label={`${document.number} ${document.name}`}>
      <DocumentHeader document={document} versionId={versionId} onChanged={onChanged} />
      <Tabs label="Views of the document" tabs={tabs} current={tab} />
      <section class="document-view" aria-label={view?.label ?? tab}>
        {view ? view.draw({ document, versionId }) : <Nothing>There is no such view of this document.</Nothing>}
      </section>
    </article>
  );
}
