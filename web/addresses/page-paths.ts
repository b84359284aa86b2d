// The URL paths of the web app. The router resolves them in the browser; the server returns the same HTML for each.

/** The first path segments of the web app; each may have subpaths. The empty segment is the list of all documents. */
export const ROOT_SEGMENTS = [
  '',
  'folders',
  'documents',
  'runs',
  'reservations',
  'jobs',
  'audit',
  'admin',
  'search',
] as const;

/** Whether a path belongs to the web app, not to the API or a file. */
export function isPagePath(path: string): boolean {
  const [, first = '', ...more] = path.split('/');
  return (ROOT_SEGMENTS as readonly string[]).includes(first) && (first !== '' || more.length === 0);
}
