// The part tree of a model.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { expandTo, type Folding, filterTree } from '../ui/tree-rows.ts';
import { type Column, TreeTable } from '../ui/tree-table.tsx';
import { type Hidden, isHidden, type ProductRow } from './product.ts';

type ProductTreeProps = {
  rows: readonly ProductRow[];
  title: string;
  hidden: Hidden;
  selected: number | null;
  onSelect: (row: number | null) => void;
  onToggle: (row: number) => void;
  onIsolate: (row: number) => void;
  onFit: (row: number) => void;
};

const keyOf = ({ id }: ProductRow) => String(id);
const SEARCH_FROM_ROWS = 12; // larger trees get a search field

/** A tree of parts. Its selection follows the selection in the 3D view and vice versa. */
export function ProductTree({ rows, title, hidden, selected, onSelect, onToggle, onIsolate, onFit }: ProductTreeProps) {
  const [folding, setFolding] = useState<Folding>({ depth: 3, toggledKeys: new Set() });
  const [text, setText] = useState('');
  useEffect(() => {
    if (selected !== null) setFolding((before) => expandTo(rows, selected, keyOf, before));
  }, [selected]);
  const matches = useMemo(() => {
    const searchText = text.trim().toLowerCase();
    return searchText
      ? filterTree(rows, ({ name, product }) => `${name} ${product}`.toLowerCase().includes(searchText))
      : rows;
  }, [rows, text]);
  const maxParts = useMemo(() => rows.reduce((max, { parts }) => Math.max(max, parts), 1), [rows]);
  const columns: Column<ProductRow>[] = [
    {
      id: 'name',
      title: 'Part',
      width: 'minmax(8rem, 1fr)',
      cell: ({ id, name, product }) => (
        <span
          class={`cut${isHidden(rows, hidden, id) ? ' is-hidden' : ''}`}
          title={product ? `${name}: ${product}` : name}
        >
          {id === 0 && name === 'Unnamed' ? title : name}
          {product && <small> {product}</small>}
        </span>
      ),
    },
    {
      id: 'parts',
      title: 'Parts',
      width: `calc(${String(maxParts).length}ch + 0.6rem)`,
      class: 'figure quiet',
      cell: ({ parts }) => (parts > 1 ? parts : ''),
    },
    {
      id: 'seen',
      title: 'Shown',
      width: '2rem',
      cell: ({ id, name }) => {
        const rowHidden = isHidden(rows, hidden, id);
        return (
          <button
            type="button"
            class="bare"
            tabIndex={-1}
            aria-label={`${rowHidden ? 'Show' : 'Hide'} ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(id);
            }}
          >
            <Icon name={rowHidden ? 'hidden' : 'eye'} class={rowHidden ? 'is-hidden' : ''} />
          </button>
        );
      },
    },
  ];
  const onKey = (key: string, { id }: ProductRow): boolean => {
    if (key === 'h' || key === ' ') onToggle(id);
    else if (key === 'i') onIsolate(id);
    else if (key === 'Escape') onSelect(null);
    else return false;
    return true;
  };
  return (
    <div class="product-tree">
      {rows.length > SEARCH_FROM_ROWS && (
        <input
          type="search"
          aria-label="Find a part by name"
          placeholder="Find a part"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <TreeTable
        label={`Parts of ${title}`}
        rows={matches}
        getKey={keyOf}
        columns={columns}
        folding={text ? { depth: Number.POSITIVE_INFINITY, toggledKeys: new Set() } : folding}
        onFolding={setFolding}
        selected={selected === null ? null : String(selected)}
        onSelect={(row) => onSelect(row?.id ?? null)}
        onOpen={({ id }) => onFit(id)}
        onKey={onKey}
        height={26}
        hideHeader
      />
    </div>
  );
}
