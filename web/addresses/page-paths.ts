// The URL paths of the page. The router resolves them in the browser; the server returns the same HTML for each.

/** The first path segments of the page; each may have subpaths. The empty segment is the list of all documents. */
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

/** Whether a path belongs to the page, and not to the API or a file. */
export function isPagePath(path: string): boolean {
  const [, first = '', ...more] = path.split('/');
  return (ROOT_SEGMENTS as readonly string[]).includes(first) && (first !== '' || more.length === 0);
}
