// Draws the pages of PDF files.
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import { WorkerMessageHandler } from 'pdfjs-dist/build/pdf.worker.mjs';

// The parser runs in the page: the content security policy does not allow to start workers from addresses.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

export type Pdf = {
  pageCount: number;
  /** Draws a page (from 1) with this width in CSS pixels. A later call for the canvas cancels it. */
  draw(page: number, canvas: HTMLCanvasElement, width: number): Promise<void>;
  close(): Promise<void>;
};

/** Opens a PDF file. Throws an error with a message for the user if the file is damaged or needs a password. */
export async function openPdf(content: ArrayBuffer): Promise<Pdf> {
  const task = getDocument({ data: content, isEvalSupported: false, enableXfa: false });
  const file = await task.promise.catch((error: Error): never => {
    const isProtected = error.name === 'PasswordException';
    throw new Error(isProtected ? 'The PDF file needs a password.' : 'The file is damaged, or no PDF.');
  });
  return { pageCount: file.numPages, draw: createDraw(file), close: () => task.destroy() };
}

function createDraw(file: PDFDocumentProxy): Pdf['draw'] {
  const running = new WeakMap<HTMLCanvasElement, { cancel(): void; promise: Promise<void> }>();
  return async (number, canvas, width) => {
    const page = await file.getPage(number);
    const { width: pageWidth } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: (width * devicePixelRatio) / pageWidth });
    const previous = running.get(canvas);
    previous?.cancel();
    await previous?.promise.catch(() => undefined); // it was cancelled
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const task = page.render({ canvas, viewport });
    running.set(canvas, task);
    await task.promise.catch((error: Error) => {
      if (error.name !== 'RenderingCancelledException') throw error;
    });
  };
}
