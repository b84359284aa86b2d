// A question in front of the page: the browser's own dialog, so that Escape, focus and screen readers work as everywhere.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

type DialogProps = { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean };

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : ''}
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
  /** What the button that does it says. */
  deed: string;
  danger?: boolean;
  /** Does it; what it throws is shown in the dialog, which stays open with everything that was typed. */
  onSubmit: (form: FormData) => Promise<unknown>;
  /** What follows when it was done; left out: it closes. */
  onDone?: () => void;
};

/** A dialog with fields: closes when what it asks for was done. */
export function FormDialog({
  deed,
  danger = false,
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
      setProblem(error instanceof Error ? error.message : String(error));
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
        <div class="deeds">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={danger ? 'danger' : 'primary'} aria-disabled={busy}>
            {deed}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Text of a field of a form; empty is undefined. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
