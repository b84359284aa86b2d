// The context menu of a part in the 3D view.
import { navigate, urlFor } from '../shell/router.ts';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { isHidden, type ProductRow } from './product.ts';
import type { StageCommands } from './stage-tools.tsx';
import type { PartLine } from './use-part-lines.ts';
import type { ViewState } from './view-state.ts';

type PartMenuProps = {
  position: MenuPosition;
  onClose: () => void;
  rows: readonly ProductRow[];
  state: ViewState;
  line: PartLine | null;
  urlOfLine: ((line: PartLine) => string) | undefined;
  commands: StageCommands;
  measuring: { start: () => void };
};

export function PartMenu({ position, onClose, rows, state, line, urlOfLine, commands, measuring }: PartMenuProps) {
  const { selected, hidden, transparent, explode } = state;
  if (selected === null) return null;
  return (
    <Menu
      label={`Actions for ${rows[selected]?.name ?? 'the part'}`}
      position={position}
      onClose={onClose}
      groups={[
        [
          {
            id: 'hide',
            label: isHidden(rows, hidden, selected) ? 'Show' : 'Hide',
            icon: 'hidden',
            run: commands.hide,
          },
          { id: 'isolate', label: 'Isolate', icon: 'eye', run: commands.isolate },
          {
            id: 'see-through',
            label: transparent.has(selected) ? 'Make opaque' : 'Make transparent',
            icon: 'cube',
            run: commands.seeThrough,
          },
          { id: 'all', label: 'Show all', run: commands.showAll },
          { id: 'fit', label: 'Zoom to', icon: 'fit', run: () => commands.fit() },
          {
            id: 'measure',
            label: 'Measure',
            icon: 'distance',
            permission: { allowed: explode === null, message: 'Close the exploded view to measure.' },
            run: measuring.start,
          },
        ],
        line?.documentId && line.number ? documentEntries(line.documentId, line.number, line, urlOfLine) : [],
      ]}
    />
  );
}

function documentEntries(id: string, number: string, line: PartLine, urlOfLine: PartMenuProps['urlOfLine']) {
  return [
    { id: 'open', label: `Open ${number}`, icon: 'model', run: () => navigate(urlFor.document(id)) },
    { id: 'used', label: `Where ${number} is used`, icon: 'used', run: () => navigate(urlFor.document(id, 'used')) },
    ...(urlOfLine
      ? [
          {
            id: 'line',
            label: 'Show in the bill of materials',
            icon: 'table' as const,
            run: () => navigate(urlOfLine(line)),
          },
        ]
      : []),
  ] as const;
}
