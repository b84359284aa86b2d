// A context menu. Unavailable entries stay visible and show their reason.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Permission, UNAVAILABLE } from './action-button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { showError } from './toasts.tsx';

export type MenuEntry = {
  id: string;
  label: string;
  icon?: IconName;
  permission?: Permission;
  danger?: boolean;
  run: () => void;
};
/** The top left corner of the menu, in window coordinates. */
export type MenuPosition = { x: number; y: number };

type MenuProps = {
  label: string;
  groups: readonly (readonly MenuEntry[])[];
  position: MenuPosition;
  onClose: () => void;
};

/** A menu, open while it is rendered; restores the focus when it closes. */
export function Menu({ label, groups, position, onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const previousFocus = useRef<Element | null>(null);
  const restoreFocus = () => {
    if (previousFocus.current instanceof HTMLElement) previousFocus.current.focus({ preventScroll: true });
  };
  // layout effects, because other effects run some time after the menu has gone: keys pressed until then would be lost
  useLayoutEffect(() => {
    previousFocus.current = document.activeElement;
    return restoreFocus;
  }, []);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus(), [groups.length]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(position.x, innerWidth - width - 8))}px`;
    element.style.top = `${Math.max(8, Math.min(position.y, innerHeight - height - 8))}px`;
  });
  useEffect(() => {
    const closeOutside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose();
    };
    addEventListener('pointerdown', closeOutside, true);
    return () => removeEventListener('pointerdown', closeOutside, true);
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      return onClose();
    }
    const items = [...(box.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const next = nextIndex(event.key, items.indexOf(document.activeElement as HTMLElement), items);
    if (next === undefined) return;
    event.preventDefault();
    items[next]?.focus();
  };

  return (
    <div ref={box} class="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
      {groups.length === 0 && <p class="quiet">Loading…</p>}
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          <div key={group[0]?.id} role="none" class="menu-group">
            {group.map((entry) => (
              <Item
                key={entry.id}
                entry={entry}
                onClose={() => {
                  restoreFocus(); // before the action: a dialog restores the focus it finds when it opens
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
  entry: { label, icon, permission = { allowed: true }, danger, run },
  onClose,
}: {
  entry: MenuEntry;
  onClose: () => void;
}) {
  const press = () => {
    onClose();
    if (permission.allowed) run();
    else showError(permission.message ?? UNAVAILABLE);
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={danger ? 'bad' : ''}
      aria-disabled={!permission.allowed}
      onClick={press}
    >
      {icon ? <Icon name={icon} /> : <span class="icon" />}
      <span>
        {label}
        {!permission.allowed && <small>{permission.message}</small>}
      </span>
    </button>
  );
}

/**
 * Returns the item that a key moves to; a letter moves to the next item that starts with it. Undefined for other keys.
 */
function nextIndex(key: string, current: number, items: readonly HTMLElement[]): number | undefined {
  if (key === 'ArrowDown') return (current + 1) % items.length;
  if (key === 'ArrowUp') return (current - 1 + items.length) % items.length;
  if (key === 'Home') return 0;
  if (key === 'End') return items.length - 1;
  if (key.length !== 1 || key === ' ') return undefined;
  const hasLetter = (item: HTMLElement) => item.textContent?.toLowerCase().startsWith(key.toLowerCase());
  const next = items.findIndex((item, index) => index > current && hasLetter(item));
  const found = next < 0 ? items.findIndex(hasLetter) : next;
  return found < 0 ? undefined : found;
}
