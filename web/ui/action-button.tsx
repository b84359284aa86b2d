// A button for an action that may be unavailable: it stays visible and reports the reason.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { showError } from './toasts.tsx';

export type Permission = { allowed: boolean; message?: string | null };

export const UNAVAILABLE = 'This action is not available now.';

type ActionButtonProps = {
  /** The permission returned by the API. Default: allowed. */
  permission?: Permission;
  onClick: () => void;
  children: ComponentChildren;
  icon?: IconName;
  class?: string;
  /** The item the action applies to, for screen readers only; distinguishes buttons with the same label. */
  subject?: string;
};

/** An unavailable action keeps the focus order and shows its reason when pressed. */
export function ActionButton({
  permission = { allowed: true },
  onClick,
  children,
  icon,
  class: className = '',
  subject,
}: ActionButtonProps) {
  const reason = permission.allowed ? undefined : (permission.message ?? UNAVAILABLE);
  return (
    <button
      type="button"
      class={className}
      aria-disabled={!permission.allowed}
      title={reason}
      onClick={permission.allowed ? onClick : () => showError(reason)}
    >
      {icon && <Icon name={icon} />}
      {children}
      {subject && <span class="visually-hidden">{subject}</span>}
    </button>
  );
}
