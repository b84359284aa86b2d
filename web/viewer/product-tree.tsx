import { useEffect, useMemo, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import { type Folding, matching, opened } from '../ui/tree-rows.ts';
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
const MANY = 12; // from here on one wants to search

/** What the model consists of; what is selected here is lit in the picture, and the other way round. */
export function ProductTree({ rows, title, hidden, selected, onSelect, onToggle, onIsolate, onFit }: ProductTreeProps) {
  const [folding, setFolding] = useState<Folding>({ depth: 3, toggled: new Set() });
  const [text, setText] = useState('');
  useEffect(() => {
    if (selected !== null) setFolding((before) => opened(rows, selected, keyOf, before));
  }, [selected]);
  const found = useMemo(() => {
    const word = text.trim().toLowerCase();
    return word ? matching(rows, ({ name, product }) => `${name} ${product}`.toLowerCase().includes(word)) : rows;
  }, [rows, text]);
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
      width: '2.6rem',
      class: 'figure quiet',
      cell: ({ parts }) => (parts > 1 ? parts : ''),
    },
    {
      id: 'seen',
      title: 'Shown',
      width: '2rem',
      cell: ({ id, name }) => {
        const away = isHidden(rows, hidden, id);
        return (
          <button
            type="button"
            class="bare"
            tabIndex={-1}
            aria-label={`${away ? 'Show' : 'Hide'} ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(id);
            }}
          >
            <Icon name={away ? 'hidden' : 'eye'} class={away ? 'away' : ''} />
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
      {rows.length > MANY && (
        <input
          type="search"
          aria-label="Find a part by its name"
          placeholder="Find a part"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <TreeTable
        label={`Parts of ${title}`}
        rows={found}
        keyOf={keyOf}
        columns={columns}
        folding={text ? { depth: Number.POSITIVE_INFINITY, toggled: new Set() } : folding}
        onFolding={setFolding}
        selected={selected === null ? null : String(selected)}
        onSelect={(row) => onSelect(row?.id ?? null)}
        onOpen={({ id }) => onFit(id)}
        onKey={onKey}
        height={26}
        headless
      />
    </div>
  );
}
