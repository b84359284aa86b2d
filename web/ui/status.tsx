// Loading, error, empty and not-found states.
import type { ComponentChildren } from 'preact';
import { UnreachableError } from '../shell/api-client.ts';
import { connected } from '../shell/live-events.ts';
import type { QueryResult } from '../shell/use-query.ts';
import { useTitle } from '../shell/use-title.ts';
import { Icon } from './icon.tsx';

type QueryViewProps<Data> = { query: QueryResult<Data>; children: (data: Data) => ComponentChildren };

/** Renders the data of a query; shows a loading state or an error with a retry button. Stale data stays visible. */
export function QueryView<Data>({ query: { data, error, loading, reload }, children }: QueryViewProps<Data>) {
  return (
    <>
      {error && !isShownInHeader(error, data) && <ErrorMessage error={error} onRetry={reload} />}
      {data !== undefined ? children(data) : loading && <Loading />}
    </>
  );
}

// while the service is unreachable, the header shows "Reconnecting…"; the data is reloaded when the connection is back
const isShownInHeader = (error: Error, data: unknown): boolean =>
  data !== undefined && error instanceof UnreachableError && !connected.value;

export function Loading({ children = 'Loading…' }: { children?: ComponentChildren }) {
  return (
    <p class="loading" role="status">
      {children}
    </p>
  );
}

export function ErrorMessage({ error, onRetry }: { error: Error; onRetry?: () => void }) {
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

/** Shown instead of an empty list, with what the user can do. */
export function EmptyState({ children }: { children: ComponentChildren }) {
  return <div class="empty-state">{children}</div>;
}

/** Shown for a URL that resolves to nothing. */
export function NotFound({ title, children }: { title: string; children: ComponentChildren }) {
  useTitle('Not found');
  return (
    <div class="empty-state">
      <h1>{title}</h1>
      <p>{children}</p>
    </div>
  );
}

/** A progress bar from 0 to 1; indeterminate when `value` is undefined. */
export function ProgressBar({ value, label }: { value?: number; label: string }) {
  return <progress value={value} max={1} aria-label={label} />;
}
