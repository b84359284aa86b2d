// The router: the view depends on the URL only, so a URL can be shared.
import { signal } from '@preact/signals';
import { isPagePath } from '../addresses/page-paths.ts';

/** The path, its decoded segments, and the query parameters. */
export type Route = { path: string; segments: readonly string[]; query: URLSearchParams };

const parseLocation = (): Route => {
  const { pathname, search } = location;
  return {
    path: pathname,
    segments: pathname.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(search),
  };
};

export const route = signal<Route>(parseLocation());

/** Navigates to a URL of the web app. `replace` adds no entry to the browser history. */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  route.value = parseLocation();
}

/** Returns the current URL with some query parameters changed; null removes a parameter. */
export function withQuery(changes: Record<string, string | null>): string {
  const { path, query } = route.value;
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  const text = changed.toString();
  return text ? `${path}?${text}` : path;
}

export const urlFor = {
  documents: (folderId?: string | null) => (folderId ? `/folders/${encodeURIComponent(folderId)}` : '/'),
  document: (id: string, tab = '', query: Record<string, string> = {}) => {
    const text = new URLSearchParams(query).toString();
    return `/documents/${encodeURIComponent(id)}${tab ? `/${tab}` : ''}${text ? `?${text}` : ''}`;
  },
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
  reservations: () => '/reservations',
  jobs: () => '/jobs',
  job: (id: string) => `/jobs/${encodeURIComponent(id)}`,
  audit: () => '/audit',
  admin: (part = '') => (part ? `/admin/${part}` : '/admin'),
};

/** Handles the back and forward buttons, and clicks on links to the web app without reloading the page. */
export function startRouter(): void {
  addEventListener('popstate', () => {
    route.value = parseLocation();
  });
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (
      !link ||
      link.target ||
      link.hasAttribute('download') ||
      link.origin !== location.origin ||
      !isPagePath(link.pathname)
    )
      return;
    event.preventDefault();
    if (link.hash) document.getElementById(link.hash.slice(1))?.focus(); // an anchor within the view
    navigate(link.pathname + link.search);
  });
}
