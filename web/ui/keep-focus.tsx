// What is pressed often gives way to what it led to: a button to the progress of what it began, "check out" to "check in". The keyboard goes on there.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type KeepFocusProps = { label: string; class?: string; children: ComponentChildren };

const PRESSED = 'a[href], button, input, select, textarea, summary';

/** A group of what can be pressed. When the part that has the focus goes, the focus goes to the first of those that are there then, else to the group itself. */
export function KeepFocus({ label, class: more, children }: KeepFocusProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let last: EventTarget | null = null;
    const came = ({ target }: FocusEvent) => {
      last = target;
    };
    // also when it is taken out of the page: whoever left of themselves is told from that once the page has changed
    const left = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (target instanceof Node && target.isConnected && document.activeElement !== target) last = null;
      });
    const changes = new MutationObserver(() => {
      if (!(last instanceof Node) || last.isConnected || document.activeElement !== document.body) return;
      (element.querySelector<HTMLElement>(PRESSED) ?? element).focus();
    });
    element.addEventListener('focusin', came);
    element.addEventListener('focusout', left);
    changes.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', came);
      element.removeEventListener('focusout', left);
      changes.disconnect();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form
    <div ref={box} class={more} role="group" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}
