// One document: what it is and how it stands above, the views of it below. The tab is in the path, the draft or version in the query.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { AuditTab } from '../audit/audit-tab.tsx';
import { BomTab } from '../bom/bom-tab.tsx';
import { UpdatesTab } from '../bom/updates-tab.tsx';
import { UsesTab } from '../bom/uses-tab.tsx';
import { CodeTab } from '../code/code-tab.tsx';
import {
  DocumentPageDocument,
  type DocumentPageQuery,
  ShownVersionDocument,
  type ShownVersionQuery,
} from '../generated/operations.ts';
import { ComparePage } from '../history/compare-page.tsx';
import { HistoryTab } from '../history/history-tab.tsx';
import { JobsTab } from '../jobs/jobs-tab.tsx';
import { address, addressOf } from '../shell/addresses.ts';
import { ofDocument } from '../shell/live.ts';
import { me } from '../shell/session.ts';
import { useTitle } from '../shell/title.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Answer, Nothing, NotThere, Problem, Waiting } from '../ui/state.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DocumentHeader } from './document-header.tsx';
import { DropOnDraft } from './drop-on-draft.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { shownVersion } from './version-words.ts';

export type ShownDocument = NonNullable<DocumentPageQuery['document']>;
export type ShownVersion = NonNullable<ShownVersionQuery['version']>;
/** What every part of the page is given: the document, what of it is looked at, and how to read both again. */
export type Shown = { document: ShownDocument; version: ShownVersion; reload: () => void };
type View = {
  id: string;
  label: string;
  kinds?: readonly ShownDocument['kind'][];
  draw: (shown: Shown) => ComponentChildren;
  hidden?: true;
};

const VIEWS: readonly View[] = [
  { id: '', label: 'Overview', draw: (shown) => <OverviewTab key={shown.version.id} {...shown} /> },
  {
    id: 'history',
    label: 'History',
    draw: ({ document }) => <HistoryTab key={document.id} documentId={document.id} />,
  },
  {
    id: 'compare',
    label: 'Compare',
    hidden: true,
    draw: ({ document }) => (
      <ComparePage
        documentId={document.id}
        from={address.value.query.get('from') ?? ''}
        to={address.value.query.get('to') ?? ''}
      />
    ),
  },
  {
    id: 'bom',
    label: 'Bill of material',
    kinds: ['assembly'],
    draw: ({ document, version }) => <BomTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'updates',
    label: 'Updates',
    kinds: ['assembly'],
    draw: ({ document, version }) => <UpdatesTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'used',
    label: 'Where used',
    kinds: ['model', 'assembly'],
    draw: ({ document, version }) => <UsesTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'code',
    label: 'Code',
    kinds: ['code'],
    draw: ({ document, version }) => <CodeTab key={version.id} documentId={document.id} versionId={version.id} />,
  },
  { id: 'jobs', label: 'Jobs', draw: ({ document }) => <JobsTab documentId={document.id} /> },
  { id: 'audit', label: 'Audit', draw: ({ document }) => <AuditTab documentId={document.id} /> },
];

// addresses may name a document by its number; events name it by its id
const ids = new Map<string, string>();

export function DocumentPage({ id, tab }: { id: string; tab: string }) {
  const asked = useAsk(DocumentPageDocument, { id }, (event) => ofDocument(ids.get(id) ?? id)(event));
  return (
    <Answer of={asked}>
      {({ document }) => {
        if (!document) {
          return (
            <NotThere what={`There is no document ${id}`}>
              It may have been deleted. <a href="/">To the documents</a>
            </NotThere>
          );
        }
        ids.set(id, document.id);
        return <OneDocument document={document} tab={tab} reload={asked.reload} />;
      }}
    </Answer>
  );
}

function OneDocument({ document, tab, reload }: { document: ShownDocument; tab: string; reload: () => void }) {
  const wanted = address.value.query.get('version');
  const versionId = shownVersion(document.workspaces, wanted, me.value?.id);
  const asked = useAsk(ShownVersionDocument, versionId === null ? null : { id: versionId }, ofDocument(document.id));
  const before = useRef<ShownVersion | null>(null);
  if (asked.data?.version) before.current = asked.data.version;
  // the one before stays in sight while another is read, so that a view of the whole document goes on as it was
  const version = asked.data
    ? asked.data.version
    : before.current?.documentId === document.id && !asked.error
      ? before.current
      : undefined;
  if (!version && asked.error) return <Problem error={asked.error} onRetry={asked.reload} />;
  if (!version && (asked.loading || !asked.data)) return <Waiting />;
  if (!version || version.documentId !== document.id) {
    return (
      <NotThere what={`${document.number} has no such version`}>
        It may have been deleted with its workspace. <a href={addressOf.document(document.id)}>To the document</a>
      </NotThere>
    );
  }
  const reloadBoth = () => {
    reload();
    asked.reload();
  };
  return <Whole document={document} version={version} reload={reloadBoth} tab={tab} />;
}

function Whole({ tab, ...shown }: Shown & { tab: string }) {
  const { document } = shown;
  const { query, steps } = address.value;
  const views = VIEWS.filter(({ kinds }) => !kinds || kinds.includes(document.kind));
  const view = views.find(({ id }) => id === tab);
  useTitle(`${document.number} ${document.name}${view?.id ? ` – ${view.label}` : ''}`);
  const version = query.get('version');
  const hrefOf = (id: string) => addressOf.document(steps[1] ?? document.id, id, version ? { version } : {});
  const tabs = views.filter(({ hidden }) => !hidden).map(({ id, label }) => ({ id, label, href: hrefOf(id) }));
  return (
    <DropOnDraft {...shown}>
      <article class="document-page" aria-label={`${document.number} ${document.name}`}>
        <DocumentHeader {...shown} />
        <Tabs label="Views of the document" tabs={tabs} current={tab} />
        <section class="document-view" aria-label={view?.label ?? 'View'}>
          {view ? view.draw(shown) : <Nothing>There is no such view of this document.</Nothing>}
        </section>
      </article>
    </DropOnDraft>
  );
}
