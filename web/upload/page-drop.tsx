import { useEffect } from 'preact/hooks';
import { canWrite } from '../shell/session.ts';
import { Icon } from '../ui/icon.tsx';
import { draggingFiles, dropTarget, handleFileDrops } from './file-drop.ts';
import { requestImport } from './import-request.ts';

/** Takes files that are dropped on the page or its header: as the current view does, or else as new documents. */
export function PageDrop() {
  useEffect(() => handleFileDrops((files) => requestImport(files, { id: null, name: 'Unfiled' }), canWrite), []);
  if (!draggingFiles.value || dropTarget.value) return null;
  return (
    <div class="drop-zone page-drop">
      <div class={`drop-here ${canWrite() ? '' : 'refused'}`}>
        <Icon name={canWrite() ? 'upload' : 'warning'} />{' '}
        {canWrite() ? 'Drop CAD files to create documents in Unfiled' : 'Viewers cannot create documents.'}
      </div>
    </div>
  );
}
