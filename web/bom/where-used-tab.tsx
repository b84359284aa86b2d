// Where a document is used: the assemblies that contain it, directly or indirectly.

import { useMemo, useState } from 'preact/hooks';
import {
  type UseScope,
  VersionsOfDocumentDocument,
  WhereUsedDocument,
  type WhereUsedQuery,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { navigate, route, withQuery } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { formatNumber } from '../ui/format.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import type { Folding } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { resolvedLabel, versionLabel } from './bom-lines.ts';
import { DocumentCell, ResolvedCell, versionUrl } from './reference-cells.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { SegmentedControl } from './segmented-control.tsx';
import { type UsageRow, usageRows } from './usage-tree.ts';
import { usePages } from './use-pages.ts';

type Use = WhereUsedQuery['whereUsed']['items'][number];
type Row = UsageRow<Use>;

const SCOPES = [
  { id: 'latest', label: 'Newest', tooltip: 'The newest version of each assembly' },
  { id: 'released', label: 'Released', tooltip: 'Released versions' },
  { id: 'all', label: 'All', tooltip: 'All versions' },
] as const satisfies readonly { id: UseScope; label: string; tooltip: string }[];

/** The assemblies that use a document, as a tree: below each assembly are the assemblies that use it. */
export function WhereUsedTab({ documentId }: { documentId: string; versionId: string }) {
  const { query } = route.value;
  const levels = query.get('levels') === '1' ? '1' : 'all';
  const scope = SCOPES.find(({ id }) => id === query.get('scope'))?.id ?? 'latest';
  const drafts = query.get('drafts') !== 'no';
  const usedVersion = query.get('of') ?? undefined;
  const variables = { id: documentId, levels, scope, drafts, of: usedVersion };
  // uploading a structure adds or removes uses; a release changes which version is the newest
  const result = useQuery(
    WhereUsedDocument,
    variables,
    (event) => isAboutDocument(documentId)(event) || /^(artifact|version|revision|workspace)\./.test(event.type),
  );
  const documentQuery = useQuery(VersionsOfDocumentDocument, { id: documentId }, isAboutDocument(documentId));
  const [replacing, setReplacing] = useState(false);
  const { items, readMore } = usePages(
    result.data?.whereUsed,
    async (cursor) => (await execute(WhereUsedDocument, { ...variables, cursor })).whereUsed,
  );
  const document = documentQuery.data?.document;
  return (
    <div class="bom bom-tab">
      <div class="bom-tools">
        <SegmentedControl
          label="Levels"
          options={[
            { id: 'all', label: 'All levels', tooltip: 'Direct and indirect uses, each assembly once' },
            { id: '1', label: 'Direct', tooltip: 'One row for each reference of each draft and version' },
          ]}
          value={levels}
          onChange={(id) => navigate(withQuery({ levels: id === '1' ? '1' : null }))}
        />
        <SegmentedControl
          label="Versions"
          options={SCOPES}
          value={scope}
          onChange={(id) => navigate(withQuery({ scope: id === 'latest' ? null : id }))}
        />
        <label class="inline">
          <input
            type="checkbox"
            checked={drafts}
            onChange={(event) => navigate(withQuery({ drafts: event.currentTarget.checked ? null : 'no' }))}
          />
          Include drafts
        </label>
        <label class="inline">
          Uses of
          <select
            value={usedVersion ?? ''}
            onChange={({ currentTarget: { value } }) => navigate(withQuery({ of: value || null }))}
          >
            <option value="">any version</option>
            {document?.versionPage.items.map(({ id, n, releasedAs }) => (
              <option key={id} value={releasedAs?.label ?? `v${n}`}>
                {resolvedLabel({ label: releasedAs?.label, n: n ?? 0, obsolete: false })}
              </option>
            ))}
          </select>
        </label>
        <span class="end">
          <ActionButton
            permission={canWrite() ? undefined : { allowed: false, message: 'Your role is read-only.' }}
            onClick={() => setReplacing(true)}
          >
            Replace in all drafts…
          </ActionButton>
        </span>
      </div>
      <QueryView query={result}>
        {({ whereUsed }) =>
          items.length === 0 ? (
            <EmptyState>
              <p>{usedVersion ? 'This version is not used.' : 'This document is not used.'}</p>
              <HelpLink topic="guide#bill-of-materials">About where-used</HelpLink>
            </EmptyState>
          ) : (
            <Uses items={items} total={whereUsed.total ?? items.length} readMore={readMore} />
          )
        }
      </QueryView>
      {replacing && document && <ReplaceDialog document={document} onClose={() => setReplacing(false)} />}
    </div>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'user',
    title: 'Used by',
    width: 'minmax(16rem, 3fr)',
    cell: ({ use: { document, version } }) => (
      <DocumentCell document={document} address="" versionId={version.id} thumbnailUrl={version.thumbnailUrl} />
    ),
  },
  {
    id: 'state',
    title: 'Version',
    width: 'minmax(9rem, 1fr)',
    cell: ({ use: { version, document } }) => (
      <>
        <span class={`mark${version.type === 'draft' ? ' accent' : ''}`}>{versionLabel(version)}</span>
        {version.releasedAs?.obsolete && <span class="mark bad">obsolete</span>}
        {document.archived && <span class="mark">archived</span>}
      </>
    ),
  },
  {
    id: 'resolution',
    title: 'Resolves to',
    width: 'minmax(11rem, 1fr)',
    cell: ({ use: { resolution, addressForm, status, reason } }) => (
      <>
        <ResolvedCell version={resolution ?? null} type={addressForm} />
        {status === 'unresolved' && (
          <span class="mark bad" title={reason}>
            unresolved
          </span>
        )}
      </>
    ),
  },
  {
    id: 'quantity',
    title: 'Quantity',
    width: '9rem',
    class: 'figure',
    // an indirect use contains the document in between, not the document itself
    cell: ({ use: { quantity, via } }) => (
      <>
        {formatNumber(quantity)}
        {via.length > 0 && <small>× {via.at(-1)?.number}</small>}
      </>
    ),
  },
];

function Uses({
  items,
  total,
  readMore,
}: {
  items: readonly Use[];
  total: number;
  readMore: (() => Promise<boolean>) | null;
}) {
  const rows = useMemo(() => usageRows(items), [items.length, items[0]]);
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggledKeys: new Set() });
  return (
    <>
      <TreeTable
        label="Where used"
        rows={rows}
        getKey={({ key }) => key}
        columns={COLUMNS}
        folding={folding}
        onFolding={setFolding}
        onOpen={({ use }) => navigate(versionUrl(use.document.id, use.version.id, 'bom'))}
      />
      <p class="row quiet">
        <span role="status">
          {formatNumber(items.length)} of {formatNumber(total)}
        </span>
        {readMore && (
          <button type="button" onClick={() => void readMore()}>
            Show more
          </button>
        )}
      </p>
    </>
  );
}
