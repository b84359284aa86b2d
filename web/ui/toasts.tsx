// Toast messages: success, error and information. Announced by screen readers.
import { signal } from '@preact/signals';
import { messageOf } from './errors.ts';
import { Icon, type IconName } from './icon.tsx';

/** A button or link of a toast; using it dismisses the toast. */
export type ToastAction = { label: string } & ({ run: () => void; href?: never } | { href: string; run?: never });
type Toast = {
  id: number;
  text: string;
  kind: 'success' | 'error' | 'info';
  icon?: IconName;
  key?: string;
  actions?: readonly ToastAction[];
};

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;
let lastWait = 0;
const SHOW_MS = 6_000;
const UNDO_MS = 60_000;
const MAX_TOASTS = 5;
const SLOW_MS = 300;

/** Shows a success message that disappears after 6 s, or 12 s with an action. */
export function showSuccess(text: string, action?: { label: string; run: () => void }): void {
  const id = show({ text, kind: 'success', actions: action && [action] });
  setTimeout(() => dismiss(id), action ? SHOW_MS * 2 : SHOW_MS);
}

/** Shows a success message with an Undo button for one minute. */
export function showUndoable(text: string, undo: () => void): void {
  const id = show({ text, kind: 'success', actions: [{ label: 'Undo', run: undo }] });
  setTimeout(() => dismiss(id), UNDO_MS);
}

/** Shows an error until the user dismisses it. */
export function showError(error: unknown): void {
  show({ text: messageOf(error), kind: 'error' });
}

/** Shows an action of another user until it is dismissed, also by `dismissInfo`. Replaces the toast with the same key. */
export function showInfo(
  key: string,
  text: string,
  { icon, actions }: { icon?: IconName; actions?: readonly ToastAction[] } = {},
): void {
  dismissInfo(key);
  show({ key, text, kind: 'info', icon, actions });
}

/** Dismisses the toast that `showInfo` created under a key. */
export function dismissInfo(key: string): void {
  if (toasts.value.some((toast) => toast.key === key)) toasts.value = toasts.value.filter((toast) => toast.key !== key);
}

/** Shows `text` while an action takes long. */
export async function showWhile<Result>(text: string, action: () => Promise<Result>): Promise<Result> {
  lastWait += 1;
  const key = `wait-${lastWait}`;
  const timer = setTimeout(() => showInfo(key, text, { icon: 'upload' }), SLOW_MS);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
    dismissInfo(key);
  }
}

/** Runs an action, shows `success` or the error, and returns whether the action succeeded. */
export async function runWithToast(action: () => Promise<unknown>, success?: string): Promise<boolean> {
  try {
    await action();
    if (success) showSuccess(success);
    return true;
  } catch (error) {
    showError(error);
    return false;
  }
}

function show(toast: Omit<Toast, 'id'>): number {
  lastId += 1;
  toasts.value = [...toasts.value.slice(1 - MAX_TOASTS), { ...toast, id: lastId }];
  return lastId;
}

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind, icon = kind === 'error' ? 'warning' : 'done', actions = [] }) => (
        <div key={id} class="toast" data-kind={kind}>
          <Icon name={icon} />
          <span>{text}</span>
          {actions.map(({ label, href, run }) =>
            href === undefined ? (
              <button
                key={label}
                type="button"
                class="link"
                onClick={() => {
                  run();
                  dismiss(id);
                }}
              >
                {label}
              </button>
            ) : (
              <a key={label} href={href} onClick={() => dismiss(id)}>
                {label}
              </a>
            ),
          )}
          <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
