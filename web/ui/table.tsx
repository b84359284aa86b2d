import type { ComponentChildren } from 'preact';

type TableProps = {
  columns: readonly string[];
  children: ComponentChildren;
  /** Adds a last column for row actions, whose title is visible to screen readers only. */
  hasActions?: boolean;
};

/** A table that scrolls horizontally when it does not fit. */
export function Table({ columns, children, hasActions = false }: TableProps) {
  return (
    <div class="table-box">
      <table>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {hasActions && (
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
