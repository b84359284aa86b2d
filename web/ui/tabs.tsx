import type { ComponentChildren } from 'preact';

export type Tab = { id: string; label: ComponentChildren; href: string };

/** Links between the views of a page; each view has its own URL. */
export function Tabs({ tabs, current, label }: { tabs: readonly Tab[]; current: string; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label, href }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
