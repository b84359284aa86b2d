// The components of an assembly as a list, in the order of their find numbers.

import { Thumbnail } from '../ui/thumbnail.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { addressParts, type Component, suffixLabel } from './structure.ts';
import type { Components } from './use-components.ts';

type ListProps = {
  list: readonly Component[];
  numbers: ReadonlyMap<string, number>;
  components: Components;
  selected: string | null;
  onSelect: (ident: string) => void;
  onMove: (ident: string, index: number) => void;
  onRemove: (ident: string) => void;
};

const ROW_HEIGHT = 48;

/** A listbox: arrow keys select, Alt and arrow keys move the selected component, Delete removes it. */
export function ComponentList({ list, numbers, components, selected, onSelect, onMove, onRemove }: ListProps) {
  const at = list.findIndex(({ ident }) => ident === selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step ? list[at < 0 ? 0 : at + step] : { Home: list[0], End: list.at(-1) }[event.key];
    if (step && event.altKey && selected !== null) onMove(selected, at + step);
    else if (next) onSelect(next.ident);
    else if (event.key === 'Delete' && selected !== null) onRemove(selected);
    else if (!step) return;
    event.preventDefault();
  };
  return (
    <VirtualList
      class="component-list"
      label="Components"
      rows={list}
      rowHeight={ROW_HEIGHT}
      getKey={({ ident }) => ident}
      scrollToRow={at}
      containerProps={{
        role: 'listbox',
        'aria-label': 'Components',
        tabIndex: 0,
        'aria-activedescendant': at < 0 ? undefined : `component-${at}`,
        onKeyDown,
      }}
    >
      {({ ident, location, instances }, index) => {
        const document = components.documentOf(location);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
          <div
            id={`component-${index}`}
            class="component"
            role="option"
            tabIndex={-1}
            aria-selected={ident === selected}
            aria-setsize={list.length}
            aria-posinset={index + 1}
            onClick={() => onSelect(ident)}
          >
            <span class="component-number" title="Find number">
              {numbers.get(ident) ?? ''}
            </span>
            <Thumbnail url={document?.thumbnailUrl} kind={document?.kind ?? 'model'} />
            <span class="cut-here">
              <b class="mono">{document?.number ?? ident}</b> {document?.name}
              <small>
                {location ? suffixLabel(addressParts(location).suffix) : 'inline'}
                {document?.archived && ' · archived'}
              </small>
            </span>
            <span class="quantity">×&nbsp;{instances.length}</span>
          </div>
        );
      }}
    </VirtualList>
  );
}
