// A virtual list: renders only the visible rows, so ten thousand rows scroll as fast as ten.
// biome-ignore-all lint/a11y/useSemanticElements: the element is a landmark region or part of a grid
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type VirtualListProps<Row> = {
  rows: readonly Row[];
  /** Height of every row in CSS pixels. */
  rowHeight: number;
  getKey: (row: Row) => string;
  children: (row: Row, index: number) => ComponentChildren;
  /** Called when the last row becomes visible, to load more. */
  onEndReached?: () => void;
  /** Index of a row that is scrolled into view whenever the index changes. */
  scrollToRow?: number;
  class?: string;
  label: string;
  /** Renders a layer behind the rows over their full height, for the rendered rows `first` to `last` (exclusive). */
  renderBackground?: (first: number, last: number) => ComponentChildren;
  /** Set when the list is part of a grid that has the label; otherwise the list is a labeled region. */
  inGrid?: boolean;
  /** Called with the rendered range, `first` to `last` (exclusive), to load missing rows. */
  onVisibleRange?: (first: number, last: number) => void;
  /** Attributes of the scroll container: grid role, key handler, active row. */
  containerProps?: HTMLAttributes<HTMLDivElement>;
};

const OVERSCAN = 8; // extra rows beyond the edges, so that scrolling shows no gap
const STEP = 4; // the range changes in steps of 4 rows, so that most scroll events render nothing

export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const {
    rows,
    rowHeight,
    getKey,
    children,
    onEndReached,
    scrollToRow,
    class: className = '',
    label,
    renderBackground,
    inGrid = false,
    onVisibleRange,
    containerProps,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const isMounted = useRef(false);
  const [view, setView] = useState(() => visibleRange(0, 800, rowHeight));
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const update = () => {
      const range = visibleRange(element.scrollTop, element.clientHeight, rowHeight);
      setView((before) => (before.first === range.first && before.last === range.last ? before : range));
    };
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [rowHeight]);
  useEffect(() => {
    const element = box.current;
    if (!element || scrollToRow === undefined || scrollToRow < 0) return;
    const top = scrollToRow * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
    if (isMounted.current) revealInParent(element, top - element.scrollTop, rowHeight);
    isMounted.current = true;
  }, [scrollToRow, rowHeight]);

  const first = Math.min(view.first, Math.max(0, rows.length - 1));
  const last = Math.min(rows.length, view.last);
  useEffect(() => {
    if (last >= rows.length && rows.length > 0) onEndReached?.();
  }, [last >= rows.length, rows.length]);
  useEffect(() => onVisibleRange?.(first, last), [first, last, onVisibleRange]);

  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a region has a label, a rowgroup has none
    <div
      ref={box}
      class={`virtual-list ${className}`}
      role={inGrid ? 'rowgroup' : 'region'}
      aria-label={inGrid ? undefined : label}
      tabIndex={-1}
      {...containerProps}
    >
      <div class="virtual-rows" style={{ height: `${rows.length * rowHeight}px` }}>
        {renderBackground?.(first, last)}
        {rows.slice(first, last).map((row, offset) => (
          <div
            key={getKey(row)}
            class="virtual-row"
            style={{ top: `${(first + offset) * rowHeight}px`, height: `${rowHeight}px` }}
          >
            {children(row, first + offset)}
          </div>
        ))}
      </div>
    </div>
  );
}

// on a small screen the list itself may be partly outside the viewport: scrolls the nearest scrollable ancestor too
function revealInParent(element: HTMLElement, offset: number, height: number): void {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    if (parent.scrollHeight <= parent.clientHeight || !/auto|scroll/.test(getComputedStyle(parent).overflowY)) continue;
    const [visible, top] = [parent.getBoundingClientRect(), element.getBoundingClientRect().top + offset];
    if (top < visible.top) parent.scrollTop -= visible.top - top;
    else if (top + height > visible.bottom) parent.scrollTop += top + height - visible.bottom;
    return;
  }
}

const visibleRange = (top: number, height: number, rowHeight: number) => ({
  first: Math.max(0, Math.floor((top / rowHeight - OVERSCAN) / STEP) * STEP),
  last: Math.ceil(((top + height) / rowHeight + OVERSCAN) / STEP) * STEP,
});
