// A menu of deeds at a button: those that are not possible now stay to be found, and say why.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Permitted } from './deed.tsx';
import { Icon, type IconName } from './icon.tsx';
import { noteProblem } from './notes.tsx';

export type MenuEntry = {
  id: string;
  label: string;
  icon?: IconName;
  may?: Permitted;
  danger?: boolean;
  run: () => void;
};
/** Where a menu opens: below this place of the window. */
export type Spot = { x: number; y: number };

type MenuProps = { label: string; groups: readonly (readonly MenuEntry[])[]; spot: Spot; onClose: () => void };

/** Open as long as it is rendered; the focus goes back to where it was. */
export function Menu({ label, groups, spot, onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  const giveFocusBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  useEffect(() => {
    before.current = document.activeElement;
    return giveFocusBack;
  }, []);
  useEffect(() => box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus(), [groups.length]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(spot.x, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(spot.y, innerHeight - height - 8))}px`;
  });
  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose();
    };
    addEventListener('pointerdown', away, true);
    return () => removeEventListener('pointerdown', away, true);
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      return onClose();
    }
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const to = placeAfter(event.key, items.indexOf(document.activeElement as HTMLElement), items);
    if (to === undefined) return;
    event.preventDefault();
    items[to]?.focus();
  };

  return (
    <div ref={box} class="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {groups.length === 0 && <p class="quiet">Reading…</p>}
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          <div key={group[0]?.id} role="none" class="menu-group">
            {group.map((entry) => (
              <Item
                key={entry.id}
                entry={entry}
                onClose={() => {
                  giveFocusBack(); // before the deed: a dialog that it opens gives the focus back to where it found it
                  onClose();
                }}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

function Item({
  entry: { label, icon, may = { allowed: true }, danger, run },
  onClose,
}: {
  entry: MenuEntry;
  onClose: () => void;
}) {
  const press = () => {
    onClose();
    if (may.allowed) run();
    else noteProblem(may.message ?? 'This is not possible now.');
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={danger ? 'bad' : ''}
      aria-disabled={!may.allowed}
      onClick={press}
    >
      {icon ? <Icon name={icon} /> : <span class="icon" />}
      <span>
        {label}
        {!may.allowed && <small>{may.message}</small>}
      </span>
    </button>
  );
}

function placeAfter(key: string, at: number, items: readonly HTMLElement[]): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % items.length;
  if (key === 'ArrowUp') return (at - 1 + items.length) % items.length;
  if (key === 'Home') return 0;
  if (key === 'End') return items.length - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const begins = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(key.toLowerCase());
  const next = items.findIndex((item, place) => place > at && begins(item));
  const found = next < 0 ? items.findIndex(begins) : next;
  return found < 0 ? undefined : found;
}
