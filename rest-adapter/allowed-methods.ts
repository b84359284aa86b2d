// The HTTP methods that a path supports.
import { ROUTES, SERVICE_ROUTES } from './routes.ts';

/** Returns the methods of a path below /api/v1; an empty list if there is no such path. */
export function allowedMethods(path: string): string[] {
  const methods = METHOD_PATTERNS.filter(({ pattern }) => pattern.test(path)).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  return methods.length ? [...new Set([...methods, 'OPTIONS'])] : [];
}

const METHOD_PATTERNS = [...ROUTES.flatMap(({ routes }) => routes), ...SERVICE_ROUTES].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
}));
