// Where a document is used: the assemblies it stands in, those they stand in, and how each points at it.
import { useMemo, useState } from 'preact/hooks';
import {
  StatesOfDocumentDocument,
  type UseScope,
  UsesOfDocumentDocument,
  type UsesOfDocumentQuery,
} from '../generated/operations.ts';
import { address, go, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { figure } from '../ui/format.ts';
import { Answer, Nothing } from '../ui/state.tsx';
import type { Folding } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { meantWords, stateWords } from './bom-words.ts';
import { DocumentCell, hrefOf, MeantCell } from './cells.tsx';
import { Choice } from './choice.tsx';
import { ReplaceDialog } from './replace-dialog.tsx';
import { usePages } from './use-pages.ts';
import { type UseRow, useRows } from './use-tree.ts';

type Use = UsesOfDocumentQuery['whereUsed']['items'][number];
type Row = UseRow<Use>;

const SCOPES = [
  { id: 'latest', label: 'Newest', why: 'The newest version of each assembly' },
  { id: 'released', label: 'Released', why: 'Released versions' },
  { id: 'all', label: 'All', why: 'All versions' },
] as const satisfies readonly { id: UseScope; label: string; why: string }[];

export function UsesTab({ documentId }: { documentId: string; versionId: string }) {
  const { query } = address.value;
  const levels = query.get('levels') === '1' ? '1' : 'all';
  const scope = SCOPES.find(({ id }) => id === query.get('scope'))?.id ?? 'latest';
  const drafts = query.get('drafts') !== 'no';
  const of = query.get('of') ?? undefined;
  const asking = { id: documentId, levels, scope, drafts, of };
  // whoever begins or ends to use the document writes a file; whoever is released changes what is newest
  const asked = useAsk(
    UsesOfDocumentDocument,
    asking,
    (event) => ofDocument(documentId)(event) || /^(artifact|version|revision|workspace)\./.test(event.type),
  );
  const states = useAsk(StatesOfDocumentDocument, { id: documentId }, ofDocument(documentId));
  const [replacing, setReplacing] = useState(false);
  const { items, more } = usePages(
    asked.data?.whereUsed,
    async (cursor) => (await ask(UsesOfDocumentDocument, { ...asking, cursor })).whereUsed,
  );
  const document = states.data?.document;
  return (
    <div class="bom">
      <div class="bom-tools">
        <Choice
          label="Levels"
          options={[
            { id: 'all', label: 'All levels', why: 'Each assembly once, level by level' },
            { id: '1', label: 'Directly', why: 'Each address of each draft and version that names it' },
          ]}
          value={levels}
          onChange={(id) => go(withQuery({ levels: id === '1' ? '1' : null }))}
        />
        <Choice
          label="Versions"
          options={SCOPES}
          value={scope}
          onChange={(id) => go(withQuery({ scope: id === 'latest' ? null : id }))}
        />
        <label class="inline">
          <input
            type="checkbox"
            checked={drafts}
            onChange={(event) => go(withQuery({ drafts: event.currentTarget.checked ? null : 'no' }))}
          />
          Drafts too
        </label>
        <label class="inline">
          Uses of
          <select value={of ?? ''} onChange={({ currentTarget: { value } }) => go(withQuery({ of: value || null }))}>
            <option value="">any state</option>
            {document?.versionPage.items.map(({ id, n, releasedAs }) => (
              <option key={id} value={releasedAs?.label ?? `v${n}`}>
                {meantWords({ label: releasedAs?.label, n: n ?? 0, obsolete: false })}
              </option>
            ))}
          </select>
        </label>
        <span class="end">
          <Deed
            may={mayWrite() ? undefined : { allowed: false, message: 'Your role reads only.' }}
            onClick={() => setReplacing(true)}
          >
            Replace in all drafts…
          </Deed>
        </span>
      </div>
      <Answer of={asked}>
        {({ whereUsed }) =>
          items.length === 0 ? (
            <Nothing>Nothing uses it{of ? ' in this state' : ''}.</Nothing>
          ) : (
            <Uses items={items} total={whereUsed.total ?? items.length} more={more} />
          )
        }
      </Answer>
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
    title: 'In',
    width: 'minmax(9rem, 1fr)',
    cell: ({ use: { version, document } }) => (
      <>
        <span class={`mark${version.type === 'draft' ? ' accent' : ''}`}>{stateWords(version)}</span>
        {version.releasedAs?.obsolete && <span class="mark bad">obsolete</span>}
        {document.archived && <span class="mark">archived</span>}
      </>
    ),
  },
  {
    id: 'meant',
    title: 'Points at',
    width: 'minmax(11rem, 1fr)',
    cell: ({ use: { resolution, points, status, reason } }) => (
      <>
        <MeantCell meant={resolution ?? null} pointing={points} />
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
    width: '6rem',
    class: 'figure',
    cell: ({ use: { quantity } }) => figure(quantity),
  },
];

function Uses({ items, total, more }: { items: readonly Use[]; total: number; more: (() => Promise<boolean>) | null }) {
  const rows = useMemo(() => useRows(items), [items.length, items[0]]);
  const [folding, setFolding] = useState<Folding>({ depth: Number.POSITIVE_INFINITY, toggled: new Set() });
  return (
    <>
      <TreeTable
        label="Where it is used"
        rows={rows}
        keyOf={({ key }) => key}
        columns={COLUMNS}
        folding={folding}
        onFolding={setFolding}
        onOpen={({ use }) => go(hrefOf(use.document.id, use.version.id, 'bom'))}
      />
      <p class="row quiet">
        <span role="status">
          {figure(items.length)} of {figure(total)}
        </span>
        {more && (
          <button type="button" onClick={() => void more()}>
            Show more
          </button>
        )}
      </p>
    </>
  );
}
