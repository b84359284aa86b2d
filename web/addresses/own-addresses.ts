// Which addresses are the page's own: it takes them apart itself, and the gateway answers each with the same document.

/** The first steps of the page's addresses; below each there may be more. The empty one is the list of all documents. */
export const FIRST_STEPS = [
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

/** Whether a path is an address of the page, and none of the API or of a file. */
export function isOwn(path: string): boolean {
  const [, first = '', ...more] = path.split('/');
  return (FIRST_STEPS as readonly string[]).includes(first) && (first !== '' || more.length === 0);
}
