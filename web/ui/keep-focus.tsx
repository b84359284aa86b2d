// Keeps the keyboard focus inside a group whose controls replace each other, such as "Check out" and "Check in".
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type KeepFocusProps = { label: string; class?: string; children: ComponentChildren };

const FOCUSABLE = 'a[href], button, input, select, textarea, summary';

/** A group of controls. When the focused control is removed, focuses the first remaining control, else the group. */
export function KeepFocus({ label, class: className, children }: KeepFocusProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let lastFocused: EventTarget | null = null;
    const onFocusIn = ({ target }: FocusEvent) => {
      lastFocused = target;
    };
    // removing the focused element fires focusout too: checking `isConnected` after the removal distinguishes both cases
    const onFocusOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if (target instanceof Node && target.isConnected && document.activeElement !== target) lastFocused = null;
      });
    const changes = new MutationObserver(() => {
      if (!(lastFocused instanceof Node) || lastFocused.isConnected || document.activeElement !== document.body) return;
      (element.querySelector<HTMLElement>(FOCUSABLE) ?? element).focus();
    });
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', onFocusOut);
    changes.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', onFocusOut);
      changes.disconnect();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form
    <div ref={box} class={className} role="group" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}
