// The document browser: folders on the left, documents on the right.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FolderTreeDocument } from '../generated/operations.ts';
import { usePaletteCommands } from '../shell/command-palette.tsx';
import type { LiveEvent } from '../shell/live-events.ts';
import { route, urlFor } from '../shell/router.ts';
import { canWrite, currentUser } from '../shell/session.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { ErrorMessage, NotFound, QueryView } from '../ui/status.tsx';
import { DropZone, FilePicker } from '../upload/file-input.tsx';
import { requestImport } from '../upload/import-request.ts';
import { SELECTABLE } from '../upload/upload-kind.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentMenu } from './document-menu.tsx';
import { parseFilter, queryVariables } from './filter.ts';
import { FindBar } from './find-bar.tsx';
import { FirstSteps } from './first-steps.tsx';
import { type FolderAction, FolderDialog, MoveDialog } from './folder-dialogs.tsx';
import { folderRows } from './folder-rows.ts';
import { FolderTree, folderHref } from './folder-tree.tsx';
import { archiveAll, exportList } from './list-actions.ts';
import { ListSkeleton } from './list-skeleton.tsx';
import { NewDocument } from './new-document.tsx';
import { NoResults } from './no-results.tsx';
import { PersonalLinks } from './personal-links.tsx';
import { ReleaseMany } from './release-many.tsx';
import { EMPTY_SELECTION, retainSelection, type Selection } from './selection.ts';
import { type ListedDocument, useDocumentList } from './use-document-list.ts';

const isFolderEvent = ({ type }: LiveEvent) => /^(folder\.|document\.|assembly\.imported)/.test(type);
const VIEWER = { allowed: false, message: 'Viewers cannot create documents.' };

type OpenDialog = 'document' | 'move' | 'release' | FolderAction | null;

export function FindPage({ folderId }: { folderId: string | null }) {
  const filter = parseFilter(folderId, route.value.query);
  const variables = queryVariables(filter, currentUser.value?.id);
  const tree = useQuery(FolderTreeDocument, {}, isFolderEvent);
  const list = useDocumentList(variables);
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const [exportMenu, setExportMenu] = useState<MenuPosition | null>(null);
  const [foldersOpen, setFoldersOpen] = useState(false); // on a narrow page
  const rows = useMemo(() => folderRows(tree.data?.folders ?? []), [tree.data]);
  const folder = rows.find((row) => row.folder.id === folderId)?.folder ?? null;
  const isMissing = tree.data !== undefined && folderId !== null && folderId !== 'unfiled' && folder === null;
  const ids = useMemo(() => list.rows?.map(({ id }) => id) ?? [], [list.rows]);
  const current = retainSelection(selection, ids);
  const folderOf = (id: string) => {
    const listed = list.rows?.find((row) => row.id === id);
    return listed && (listed.folder?.id ?? null);
  };
  const creators = useCreators(list.rows ?? []);
  const selectedDocuments = list.rows?.filter(({ id }) => current.selected.has(id)) ?? [];
  const permission = canWrite() ? { allowed: true } : VIEWER;
  const reload = () => {
    tree.reload();
    list.reload();
  };
  useEffect(() => {
    setSelection(EMPTY_SELECTION);
    setFoldersOpen(false);
  }, [folderId]);
  usePaletteCommands('find', [
    ...(canWrite()
      ? [
          { id: 'new-document', label: 'New document', icon: 'plus' as const, run: () => setDialog('document') },
          {
            id: 'new-folder',
            label: 'New folder',
            icon: 'folder' as const,
            run: () => setDialog({ name: 'create', folder }),
          },
        ]
      : []),
  ]);

  const uploadFiles = (files: readonly File[]) =>
    requestImport(files, { id: folder?.id ?? null, name: folder?.name ?? 'Unfiled' });

  return (
    <div class="find">
      <button
        type="button"
        class="find-folders-toggle"
        aria-expanded={foldersOpen}
        aria-controls="folders"
        onClick={() => setFoldersOpen(!foldersOpen)}
      >
        <Icon name="folder" /> <span class="cut-here">{folder?.path.split('/').join(' › ') ?? 'Folders'}</span>
        <Icon name={foldersOpen ? 'up' : 'down'} />
      </button>
      <aside id="folders" class={`find-folders ${foldersOpen ? 'open' : ''}`} aria-label="Folders">
        <div class="row">
          <h2 class="grow">Folders</h2>
          <ActionButton
            class="bare"
            icon="plus"
            permission={permission}
            onClick={() => setDialog({ name: 'create', folder })}
          >
            <span class="visually-hidden">New folder</span>
          </ActionButton>
        </div>
        <QueryView query={tree}>
          {({ unfiled }) => (
            <FolderTree
              rows={rows}
              unfiled={unfiled.total}
              current={folderId}
              onAction={setDialog}
              hrefOf={folderHref}
              folderOf={folderOf}
              onFiles={requestImport}
            />
          )}
        </QueryView>
        <PersonalLinks />
      </aside>
      {isMissing ? (
        <NotFound title="Folder not found">
          It may have been deleted. <a href={urlFor.documents()}>All documents</a>
        </NotFound>
      ) : (
        <DropZone
          class="find-list"
          label={`Drop CAD files to create documents in ${folder?.name ?? 'Unfiled'}`}
          disabledReason={permission.allowed ? null : VIEWER.message}
          onFiles={uploadFiles}
        >
          <FindBar
            filter={filter}
            folder={folder}
            total={list.total}
            selected={current.selected}
            onMove={() => setDialog('move')}
            onArchive={() => void archiveAll(selectedDocuments.filter(({ archived }) => !archived))}
            onMenu={setMenu}
            onClear={() => setSelection(EMPTY_SELECTION)}
            creators={creators}
          >
            <button
              type="button"
              class="bare"
              aria-label="Export the list"
              aria-haspopup="menu"
              title="Export the list"
              onClick={({ currentTarget }) => {
                const { left, bottom } = currentTarget.getBoundingClientRect();
                setExportMenu({ x: left, y: bottom });
              }}
            >
              <Icon name="download" />
            </button>
            <FilePicker label="Upload" multiple accept={SELECTABLE} permission={permission} onFiles={uploadFiles} />
            <ActionButton class="primary" icon="plus" permission={permission} onClick={() => setDialog('document')}>
              <span>New document</span>
            </ActionButton>
          </FindBar>
          {folderId === null && <FirstSteps />}
          {list.error && <ErrorMessage error={list.error} onRetry={list.reload} />}
          {!list.rows && list.loading && <ListSkeleton />}
          {list.rows?.length === 0 && !list.loading && <NoResults filter={filter} />}
          {list.rows && list.rows.length > 0 && (
            <DocumentList
              list={list.listKey}
              rows={list.rows}
              total={list.total}
              stale={list.stale}
              filter={filter}
              selection={current}
              onSelection={setSelection}
              onMenu={setMenu}
              onEnd={list.loadMore}
            />
          )}
        </DropZone>
      )}
      {dialog === 'document' && (
        <NewDocument rows={rows} folderId={folder?.id ?? null} onClose={() => setDialog(null)} />
      )}
      {menu && selectedDocuments.length > 0 && (
        <DocumentMenu
          documents={selectedDocuments}
          position={menu}
          onMove={() => setDialog('move')}
          onRelease={() => setDialog('release')}
          onClose={() => setMenu(null)}
        />
      )}
      {exportMenu && (
        <Menu
          label="Export the list"
          position={exportMenu}
          onClose={() => setExportMenu(null)}
          groups={[
            [
              { id: 'csv', label: 'CSV', run: () => void exportList(variables, 'csv') },
              { id: 'xlsx', label: 'Excel (XLSX)', run: () => void exportList(variables, 'xlsx') },
            ],
          ]}
        />
      )}
      {dialog === 'release' && <ReleaseMany documents={selectedDocuments} onClose={() => setDialog(null)} />}
      {dialog === 'move' && (
        <MoveDialog
          ids={[...current.selected]}
          rows={rows}
          from={folder?.id ?? null}
          folderOf={folderOf}
          onClose={() => setDialog(null)}
          onDone={() => {
            setSelection(EMPTY_SELECTION);
            reload();
          }}
        />
      )}
      {dialog && typeof dialog === 'object' && (
        <FolderDialog action={dialog} rows={rows} onClose={() => setDialog(null)} onDone={reload} />
      )}
    </div>
  );
}

/** The creators of the documents that were listed so far, by id. */
function useCreators(rows: readonly ListedDocument[]): ReadonlyMap<string, string> {
  const creators = useRef(new Map<string, string>());
  for (const { createdBy } of rows)
    if (createdBy.id !== currentUser.value?.id) creators.current.set(createdBy.id, createdBy.name);
  return creators.current;
}
