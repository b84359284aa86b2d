// What is shown while an answer is awaited, when there is none, and when it went wrong.
import type { ComponentChildren } from 'preact';
import { Unreachable } from '../shell/ask.ts';
import { connected } from '../shell/live.ts';
import { useTitle } from '../shell/title.ts';
import type { Asked } from '../shell/use-ask.ts';
import { Icon } from './icon.tsx';

type AnswerProps<Data> = { of: Asked<Data>; children: (data: Data) => ComponentChildren };

/** Shows what was asked for; meanwhile that it is being asked, or what went wrong with a button to try again. Old data stays visible. */
export function Answer<Data>({ of: { data, error, loading, reload }, children }: AnswerProps<Data>) {
  return (
    <>
      {error && !isOldOnly(error, data) && <Problem error={error} onRetry={reload} />}
      {data !== undefined ? children(data) : loading && <Waiting />}
    </>
  );
}

// while the service is away the head of the page says so, and what is shown is asked for again as soon as it is back
const isOldOnly = (error: Error, data: unknown): boolean =>
  data !== undefined && error instanceof Unreachable && !connected.value;

export function Waiting({ children = 'Reading…' }: { children?: ComponentChildren }) {
  return (
    <p class="waiting" role="status">
      {children}
    </p>
  );
}

export function Problem({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <span>{error.message}</span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Nothing is there, and what one can do about it. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <div class="nothing">{children}</div>;
}

/** An address that leads to nothing: what is not there, why that may be, and where to go. */
export function NotThere({ what, children }: { what: string; children: ComponentChildren }) {
  useTitle('Not found');
  return (
    <div class="nothing">
      <h1>{what}</h1>
      <p>{children}</p>
    </div>
  );
}

/** A part of one: 0…1; undefined moves without an end in sight. */
export function Progress({ done, label }: { done?: number; label: string }) {
  return <progress value={done} max={1} aria-label={label} />;
}
