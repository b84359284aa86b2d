// A button for something that may not be allowed now: it stays to be found, and says why not.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';
import { noteProblem } from './notes.tsx';

export type Permitted = { allowed: boolean; message?: string | null };

type DeedProps = {
  may?: Permitted;
  onClick: () => void;
  children: ComponentChildren;
  icon?: IconName;
  class?: string;
  /** To what it is done, where several buttons say the same; read aloud only. */
  about?: string;
};

/** `may` is a permission as the service tells it; without it the deed is always allowed. A refused one can be focused, and tells its reason when pressed. */
export function Deed({ may = { allowed: true }, onClick, children, icon, class: more = '', about }: DeedProps) {
  const why = may.allowed ? undefined : (may.message ?? 'This is not possible now.');
  return (
    <button
      type="button"
      class={more}
      aria-disabled={!may.allowed}
      title={why}
      onClick={may.allowed ? onClick : () => noteProblem(why)}
    >
      {icon && <Icon name={icon} />}
      {children}
      {about && <span class="visually-hidden">{about}</span>}
    </button>
  );
}
