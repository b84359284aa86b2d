import type { ComponentChildren } from 'preact';

type TableProps = {
  /** Titles of the columns. */
  heads: readonly string[];
  /** The rows. */
  children: ComponentChildren;
  /** Whether a last column holds what can be done with a row: it has a title for those alone who do not see it. */
  deeds?: boolean;
};

/** A table that is scrolled sideways where there is no room for it. */
export function Table({ heads, children, deeds = false }: TableProps) {
  return (
    <div class="table-box">
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {deeds && (
              <th scope="col">
                <span class="visually-hidden">What to do with it</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
