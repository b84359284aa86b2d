// The list of keyboard shortcuts, opened with ?.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';

const open = signal(false);

export const openShortcuts = (): void => {
  open.value = true;
};

const GROUPS: readonly { title: string; keys: readonly (readonly [keys: string, effect: string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'Search or run a command'],
      ['/', 'Search the list'],
      ['?', 'Show the shortcuts'],
      ['Esc', 'Close a dialog or menu'],
    ],
  },
  {
    title: 'Document list',
    keys: [
      ['↑ ↓', 'Go to a document'],
      ['Enter', 'Open it'],
      ['Space', 'Select it'],
      ['Shift ↑ ↓', 'Select several'],
      ['Ctrl A', 'Select all'],
      ['Shift F10', 'Actions for the selection'],
    ],
  },
  {
    title: '3D view',
    keys: [
      ['F', 'Fit the view'],
      ['1 … 6, 0', 'Standard views'],
      ['P', 'Orthographic'],
      ['+ −', 'Zoom'],
      ['M', 'Measure'],
      ['H I A', 'Hide, isolate, show all'],
      ['← ↑ → ↓', 'Rotate, in the view'],
    ],
  },
  {
    title: 'History',
    keys: [
      ['↑ ↓', 'Go to a version'],
      ['Enter', 'Show its details'],
      ['Space', 'Mark it for comparison'],
      ['M', 'Actions for the version'],
    ],
  },
];

/** Shows the shortcuts while they are open. */
export function Shortcuts() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select, dialog *');
      if (event.key !== '?' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      open.value = true;
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (!open.value) return null;
  const close = () => {
    open.value = false;
  };
  return (
    <Dialog title="Keyboard shortcuts" size="wide" onClose={close}>
      <div class="shortcuts">
        {GROUPS.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl class="facts">
              {keys.map(([key, effect]) => (
                <>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{effect}</dd>
                </>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
