// The document page: a header above tabs. The tab is in the URL path, the draft or version in the query.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AuditTab } from '../audit/audit-tab.tsx';
import { BomTab } from '../bom/bom-tab.tsx';
import { UpdatesTab } from '../bom/updates-tab.tsx';
import { WhereUsedTab } from '../bom/where-used-tab.tsx';
import { CodeTab } from '../code/code-tab.tsx';
import { forgetDocument, rememberDocument } from '../find/personal-lists.ts';
import {
  DocumentPageDocument,
  type DocumentPageQuery,
  SelectedVersionDocument,
  type SelectedVersionQuery,
} from '../generated/operations.ts';
import { ComparePage } from '../history/compare-page.tsx';
import { HistoryTab } from '../history/history-tab.tsx';
import { JobsTab } from '../jobs/jobs-tab.tsx';
import { usePaletteCommands } from '../shell/command-palette.tsx';
import { isAboutDocument } from '../shell/live-events.ts';
import { navigate, route, urlFor } from '../shell/router.ts';
import { currentUser } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { useTitle } from '../shell/use-title.ts';
import { EmptyState, ErrorMessage, Loading, NotFound, QueryView } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DocumentHeader } from './document-header.tsx';
import { DraftDropZone } from './draft-drop-zone.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { shownVersionId } from './version-label.ts';

export type ShownDocument = NonNullable<DocumentPageQuery['document']>;
export type ShownVersion = NonNullable<SelectedVersionQuery['version']>;
/** Props of every part of the page: the document, the displayed draft or version, and a function that reloads both. */
export type DocumentViewProps = { document: ShownDocument; version: ShownVersion; reload: () => void };
type View = {
  id: string;
  label: string;
  kinds?: readonly ShownDocument['kind'][];
  render: (props: DocumentViewProps) => ComponentChildren;
  hidden?: true;
};

const VIEWS: readonly View[] = [
  { id: '', label: 'Overview', render: (props) => <OverviewTab key={props.version.id} {...props} /> },
  {
    id: 'history',
    label: 'History',
    render: ({ document }) => <HistoryTab key={document.id} documentId={document.id} />,
  },
  {
    id: 'compare',
    label: 'Compare',
    hidden: true,
    render: ({ document }) => (
      <ComparePage
        documentId={document.id}
        from={route.value.query.get('from') ?? ''}
        to={route.value.query.get('to') ?? ''}
      />
    ),
  },
  {
    id: 'bom',
    label: 'Bill of materials',
    kinds: ['assembly'],
    render: ({ document, version }) => <BomTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'updates',
    label: 'Updates',
    kinds: ['assembly'],
    render: ({ document, version }) => <UpdatesTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'used',
    label: 'Where used',
    kinds: ['model', 'assembly'],
    render: ({ document, version }) => <WhereUsedTab documentId={document.id} versionId={version.id} />,
  },
  {
    id: 'code',
    label: 'Code',
    kinds: ['code'],
    render: ({ document, version }) => <CodeTab key={version.id} documentId={document.id} versionId={version.id} />,
  },
  { id: 'jobs', label: 'Jobs', render: ({ document }) => <JobsTab documentId={document.id} /> },
  { id: 'audit', label: 'Audit', render: ({ document }) => <AuditTab documentId={document.id} /> },
];

// ids by the number or id of the URL, because events contain ids only
const ids = new Map<string, string>();

export function DocumentPage({ id, tab }: { id: string; tab: string }) {
  const query = useQuery(DocumentPageDocument, { id }, (event) => isAboutDocument(ids.get(id) ?? id)(event));
  const isMissing = query.data !== undefined && !query.data.document;
  useEffect(() => {
    if (isMissing) forgetDocument(id);
  }, [isMissing, id]);
  return (
    <QueryView query={query}>
      {({ document }) => {
        if (!document) {
          return (
            <NotFound title={`Document ${id} not found`}>
              It may have been deleted. <a href="/">All documents</a>
            </NotFound>
          );
        }
        ids.set(id, document.id);
        return <LoadedDocument document={document} tab={tab} reload={query.reload} />;
      }}
    </QueryView>
  );
}

function LoadedDocument({ document, tab, reload }: { document: ShownDocument; tab: string; reload: () => void }) {
  const requestedId = route.value.query.get('version');
  const versionId = shownVersionId(document.workspaces, requestedId, currentUser.value?.id);
  const query = useQuery(
    SelectedVersionDocument,
    versionId === null ? null : { id: versionId },
    isAboutDocument(document.id),
  );
  const previous = useRef<ShownVersion | null>(null);
  if (query.data?.version) previous.current = query.data.version;
  // keeps showing the previous version while the next one loads, so that views of the whole document keep their state
  const keepsPrevious = !query.data && !query.error && previous.current?.documentId === document.id;
  const version = keepsPrevious ? previous.current : query.data?.version;
  if (!version && query.error) return <ErrorMessage error={query.error} onRetry={query.reload} />;
  if (!version && (query.loading || !query.data)) return <Loading />;
  if (!version || version.documentId !== document.id) {
    return (
      <NotFound title={`Version of ${document.number} not found`}>
        It may have been deleted with its workspace. <a href={urlFor.document(document.id)}>Open the document</a>
      </NotFound>
    );
  }
  const reloadAll = () => {
    reload();
    query.reload();
  };
  return <DocumentView document={document} version={version} reload={reloadAll} tab={tab} />;
}

function DocumentView({ tab, ...props }: DocumentViewProps & { tab: string }) {
  const { document } = props;
  const { query, segments } = route.value;
  useEffect(() => rememberDocument(document), [document.id, document.name]);
  const views = VIEWS.filter(({ kinds }) => !kinds || kinds.includes(document.kind));
  const view = views.find(({ id }) => id === tab);
  useTitle(`${document.number} ${document.name}${view?.id ? ` – ${view.label}` : ''}`);
  const version = query.get('version');
  const hrefOf = (id: string) => urlFor.document(segments[1] ?? document.id, id, version ? { version } : {});
  usePaletteCommands(
    'views',
    views
      .filter(({ hidden, id }) => !hidden && id !== tab)
      .map(({ id, label }) => ({
        id: `view-${id}`,
        label: `Go to ${label.toLowerCase()} of ${document.number}`,
        icon: id === 'history' ? 'history' : 'table',
        run: () => navigate(hrefOf(id)),
      })),
  );
  const tabs = views.filter(({ hidden }) => !hidden).map(({ id, label }) => ({ id, label, href: hrefOf(id) }));
  return (
    <DraftDropZone {...props}>
      <article class="document-page" aria-label={`${document.number} ${document.name}`}>
        <DocumentHeader {...props} />
        <Tabs label="Views of the document" tabs={tabs} current={tab === 'compare' ? 'history' : tab} />
        <section class="document-view" aria-label={view?.label ?? 'View'}>
          {view ? view.render(props) : <EmptyState>This document has no such view.</EmptyState>}
        </section>
      </article>
    </DraftDropZone>
  );
}
