// Long lists: only the rows that are seen exist in the page, so ten thousand scroll like ten.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type RowsProps<Row> = {
  rows: readonly Row[];
  /** Height of a row in CSS pixels, the same for all. */
  height: number;
  keyOf: (row: Row) => string;
  children: (row: Row, index: number) => ComponentChildren;
  /** Is called when the last row comes into sight: more can be fetched. */
  onEnd?: () => void;
  /** Scrolls so that this row is seen, when it changes. */
  shown?: number;
  class?: string;
  label: string;
  /** Something drawn behind the rows, over their whole height: first and last row in sight are given to it. */
  behind?: (first: number, last: number) => ComponentChildren;
};

const MORE = 8; // rows beyond the edges, so that scrolling never shows a gap

export function Rows<Row>({ rows, height, keyOf, children, onEnd, shown, class: more = '', label, behind }: RowsProps<Row>) {
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || shown === undefined || shown < 0) return;
    const top = shown * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
  }, [shown, height]);

  const first = Math.max(0, Math.floor(view.top / height) - MORE);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / height) + MORE);
  useEffect(() => {
    if (last >= rows.length && rows.length > 0) onEnd?.();
  }, [last >= rows.length, rows.length]);

  return (
    <section ref={box} class={`rows ${more}`} aria-label={label} tabIndex={-1}>
      <div class="rows-all" style={{ height: `${rows.length * height}px` }}>
        {behind?.(first, last)}
        {rows.slice(first, last).map((row, place) => (
          <div key={keyOf(row)} class="rows-one" style={{ top: `${(first + place) * height}px`, height: `${height}px` }}>
            {children(row, first + place)}
          </div>
        ))}
      </div>
    </section>
  );
}
