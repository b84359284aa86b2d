const ROWS = Array.from({ length: 8 }, (_, at) => at);

/** Shown instead of the list while its first page is loaded. */
export function ListSkeleton() {
  return (
    <div role="status">
      <span class="visually-hidden">Loading documents…</span>
      {ROWS.map((row) => (
        <div key={row} class="skeleton-row" aria-hidden="true">
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
