import type { ComponentChildren } from 'preact';

/** A link to a section of the documentation, such as `guide#versions`; opens a new tab, so that no input is lost. */
export function HelpLink({ topic, children = 'Learn more' }: { topic: string; children?: ComponentChildren }) {
  return (
    <a class="help" href={`/docs/${topic}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
