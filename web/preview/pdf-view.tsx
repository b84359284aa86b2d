import { useEffect, useRef, useState } from 'preact/hooks';
import type { Pdf } from './pdf.ts';

// Sharp up to the largest zoom of the dialog on most screens; a larger canvas needs too much memory.
const DRAWN_WIDTH = 1_800;

/** One page of a PDF file, with buttons for the others. */
export function PdfView({ pdf }: { pdf: Pdf }) {
  const [page, setPage] = useState(1);
  const [problem, setProblem] = useState<string | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!canvas.current) return;
    setProblem(null);
    pdf
      .draw(page, canvas.current, DRAWN_WIDTH / devicePixelRatio)
      .catch((error: Error) => setProblem(`Page ${page} cannot be displayed: ${error.message}`));
  }, [page]);
  return (
    <>
      {pdf.pageCount > 1 && (
        <div class="row preview-pages">
          <button type="button" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </button>
          <span aria-live="polite">
            Page {page} of {pdf.pageCount}
          </span>
          <button type="button" disabled={page === pdf.pageCount} onClick={() => setPage(page + 1)}>
            Next
          </button>
        </div>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <canvas ref={canvas} role="img" aria-label={`Page ${page}`} />
    </>
  );
}
