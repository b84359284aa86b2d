// Modal dialogs based on the browser's <dialog>, which handles Escape, focus and screen readers.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './errors.ts';
import { HelpLink } from './help-link.tsx';

type DialogProps = {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** `full` fills the window. Default: as wide as a form. */
  size?: 'wide' | 'full';
};

/** A modal dialog, open while it is rendered. */
export function Dialog({ title, onClose, children, size }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      data-size={size}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

type FormProps = DialogProps & {
  /** Label of the submit button. */
  submitLabel: string;
  danger?: boolean;
  /** The section of the documentation that explains the action. */
  help?: string;
  /** Submits the form. An error is shown in the dialog, which stays open with its input. */
  onSubmit: (form: FormData) => Promise<unknown>;
  /** Called after a successful submit. Default: `onClose`. */
  onDone?: () => void;
};

/** A dialog with a form; closes after a successful submit. */
export function FormDialog({
  submitLabel,
  danger = false,
  help,
  onSubmit,
  onClose,
  onDone = onClose,
  children,
  ...rest
}: FormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy || !(event.currentTarget instanceof HTMLFormElement)) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(new FormData(event.currentTarget));
      onDone();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} {...rest}>
      <form onSubmit={submit}>
        {children}
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          {help && <HelpLink topic={help}>Help</HelpLink>}
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={danger ? 'danger' : 'primary'} aria-disabled={busy}>
            {submitLabel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the trimmed text of a form field; undefined when it is empty. */
export function formValue(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
