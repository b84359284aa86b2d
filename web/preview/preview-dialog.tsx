// Shows a file in a dialog.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { apiUrl, restRequest } from '../shell/api-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { messageOf } from '../ui/errors.ts';
import { DrawingView } from './drawing-view.tsx';
import { PdfView } from './pdf-view.tsx';
import { previewOf } from './preview-kind.ts';

type PreviewFile = { id: string; fileName: string; size: number };
type Content = { step: 'loading' } | { step: 'failed'; message: string } | { step: 'shown'; view: ComponentChildren };

/** A dialog with an image, PDF, DXF drawing or text, which can be enlarged and downloaded. */
export function PreviewDialog({ file, onClose }: { file: PreviewFile; onClose: () => void }) {
  const [zoom, setZoom] = useState(1);
  const content = useContent(file);
  return (
    <Dialog title={file.fileName} onClose={onClose} size="wide">
      <div class="preview">
        <label class="preview-zoom">
          Zoom
          <input
            type="range"
            min="1"
            max="8"
            step="0.5"
            value={zoom}
            onInput={({ currentTarget }) => setZoom(Number(currentTarget.value))}
          />
        </label>
        <div class="preview-content" style={{ '--zoom': String(zoom) }}>
          {content.step === 'loading' && <p class="quiet">Loading…</p>}
          {content.step === 'failed' && (
            <p class="problem" role="alert">
              {content.message}
            </p>
          )}
          {content.step === 'shown' && content.view}
        </div>
      </div>
      <div class="actions">
        <a class="button" href={apiUrl(`/artifacts/${file.id}/file`)} download={file.fileName}>
          Download
        </a>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function useContent({ id, fileName, size }: PreviewFile): Content {
  const [content, setContent] = useState<Content>({ step: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    const cleanUp: (() => void)[] = [];
    const open = async (): Promise<ComponentChildren> => {
      const preview = previewOf(fileName, size);
      if (!preview) throw new Error('The page cannot display this file. Download it instead.');
      const response = await restRequest(`/artifacts/${id}/file`, { signal: controller.signal });
      if (preview.kind === 'image') {
        // As an image, an SVG file runs no scripts and loads nothing.
        const url = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: preview.mediaType }));
        cleanUp.push(() => URL.revokeObjectURL(url));
        return <img src={url} alt={fileName} />;
      }
      if (preview.kind === 'pdf') {
        const [{ openPdf }, data] = await Promise.all([import('./pdf.ts'), response.arrayBuffer()]);
        const pdf = await openPdf(data);
        cleanUp.push(() => void pdf.close());
        return <PdfView pdf={pdf} />;
      }
      const text = await response.text();
      if (preview.kind === 'text') return <pre>{text}</pre>;
      const { readDxf } = await import('./dxf.ts');
      return <DrawingView drawing={readDxf(text)} name={fileName} />;
    };
    open().then(
      (view) => !controller.signal.aborted && setContent({ step: 'shown', view }),
      (error: unknown) => !controller.signal.aborted && setContent({ step: 'failed', message: messageOf(error) }),
    );
    return () => {
      controller.abort();
      for (const clean of cleanUp) clean();
    };
  }, [id]);
  return content;
}
