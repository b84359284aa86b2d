// Finding documents: the folders on the left, what is in them or was searched for on the right.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { FolderTreeDocument } from '../generated/operations.ts';
import { address, addressOf } from '../shell/addresses.ts';
import type { LiveEvent } from '../shell/live.ts';
import { useOffer } from '../shell/palette.tsx';
import { mayWrite } from '../shell/session.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed } from '../ui/deed.tsx';
import { noteProblem } from '../ui/notes.tsx';
import { Answer, NotThere, Problem, Waiting } from '../ui/state.tsx';
import { DropZone, PickFiles } from '../upload/drop.tsx';
import { uploadAsNew } from '../upload/transfers.ts';
import { isCad } from '../upload/what-it-becomes.ts';
import { DocumentList } from './document-list.tsx';
import { filterOf, variablesOf } from './filter.ts';
import { FindBar } from './find-bar.tsx';
import { type FolderDeed, FolderDialog, MoveDialog } from './folder-dialogs.tsx';
import { folderRows } from './folder-rows.ts';
import { FolderTree, folderHref } from './folder-tree.tsx';
import { NewDocument } from './new-document.tsx';
import { NoneFound } from './none-found.tsx';
import { NOTHING_CHOSEN, type Selection, stillThere } from './selection.ts';
import { useFound } from './use-found.ts';

const concernsFolders = ({ type }: LiveEvent) => /^(folder\.|document\.|assembly\.imported)/.test(type);
const VIEWER = { allowed: false, message: 'Viewers cannot make documents.' };

type Asking = 'document' | 'move' | FolderDeed | null;

export function FindPage({ folderId }: { folderId: string | null }) {
  const filter = filterOf(folderId, address.value.query);
  const tree = useAsk(FolderTreeDocument, {}, concernsFolders);
  const finding = useFound(variablesOf(filter));
  const [selection, setSelection] = useState<Selection>(NOTHING_CHOSEN);
  const [asking, setAsking] = useState<Asking>(null);
  const rows = useMemo(() => folderRows(tree.data?.folders ?? []), [tree.data]);
  const folder = rows.find((row) => row.folder.id === folderId)?.folder ?? null;
  const gone = tree.data !== undefined && folderId !== null && folderId !== 'unfiled' && folder === null;
  const ids = useMemo(() => finding.rows?.map(({ id }) => id) ?? [], [finding.rows]);
  const kept = stillThere(selection, ids);
  const from = folderId === null || variablesOf(filter).recursive ? undefined : (folder?.id ?? null);
  const may = mayWrite() ? { allowed: true } : VIEWER;
  const reload = () => {
    tree.reload();
    finding.reload();
  };
  useEffect(() => setSelection(NOTHING_CHOSEN), [folderId]);
  useOffer('find', [
    ...(mayWrite()
      ? [
          { id: 'new-document', label: 'New document', icon: 'plus' as const, run: () => setAsking('document') },
          {
            id: 'new-folder',
            label: 'New folder',
            icon: 'folder' as const,
            run: () => setAsking({ name: 'create', folder }),
          },
        ]
      : []),
  ]);

  const takeFiles = (files: readonly File[]) => {
    const others = files.filter(({ name }) => !isCad(name)).map(({ name }) => name);
    if (others.length > 0)
      noteProblem(
        `Only CAD files (STEP, OFB) become documents here; not ${others.join(', ')}. Open a document to attach other files.`,
      );
    for (const file of files) if (isCad(file.name)) void uploadAsNew(file, folder?.id ?? null);
  };

  return (
    <div class="find">
      <aside class="find-folders" aria-label="Folders">
        <div class="row">
          <h2 class="grow">Folders</h2>
          <Deed class="bare" icon="plus" may={may} onClick={() => setAsking({ name: 'create', folder })}>
            <span class="visually-hidden">New folder</span>
          </Deed>
        </div>
        <Answer of={tree}>
          {() => <FolderTree rows={rows} current={folderId} onDeed={setAsking} hrefOf={folderHref} from={from} />}
        </Answer>
      </aside>
      {gone ? (
        <NotThere what="There is no such folder">
          It may have been deleted. <a href={addressOf.documents()}>To all documents</a>
        </NotThere>
      ) : (
        <DropZone
          class="find-list"
          says={`Drop CAD files to make documents in ${folder?.name ?? 'Unfiled'}`}
          refused={may.allowed ? null : VIEWER.message}
          onFiles={takeFiles}
        >
          <FindBar
            filter={filter}
            folder={folder}
            total={finding.total}
            chosen={kept.chosen}
            onMove={() => setAsking('move')}
            onClear={() => setSelection(NOTHING_CHOSEN)}
          >
            <PickFiles label="Upload" several accept=".stp,.step,.p21,.stpz,.ofb" may={may} onFiles={takeFiles} />
            <Deed class="primary" icon="plus" may={may} onClick={() => setAsking('document')}>
              New document
            </Deed>
          </FindBar>
          {finding.error && <Problem error={finding.error} onRetry={finding.reload} />}
          {!finding.rows && finding.loading && <Waiting />}
          {finding.rows?.length === 0 && !finding.loading && <NoneFound filter={filter} />}
          {finding.rows && finding.rows.length > 0 && (
            <DocumentList
              list={finding.list}
              rows={finding.rows}
              total={finding.total}
              filter={filter}
              selection={kept}
              onSelection={setSelection}
              onEnd={finding.more}
            />
          )}
        </DropZone>
      )}
      {asking === 'document' && (
        <NewDocument rows={rows} folderId={folder?.id ?? null} onClose={() => setAsking(null)} />
      )}
      {asking === 'move' && (
        <MoveDialog
          ids={[...kept.chosen]}
          rows={rows}
          from={folder?.id ?? null}
          onClose={() => setAsking(null)}
          onDone={() => {
            setSelection(NOTHING_CHOSEN);
            reload();
          }}
        />
      )}
      {asking && typeof asking === 'object' && (
        <FolderDialog deed={asking} rows={rows} onClose={() => setAsking(null)} onDone={reload} />
      )}
    </div>
  );
}
