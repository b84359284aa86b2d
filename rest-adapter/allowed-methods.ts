// The HTTP methods that a path supports.
import { OWN_ROUTES, ROUTES } from './routes.ts';

/** Returns the methods of a path below /api/v1; an empty list if there is no such path. */
export function allowedMethods(path: string): string[] {
  const methods = TABLE.filter(({ pattern }) => pattern.test(path)).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  return methods.length ? [...new Set([...methods, 'OPTIONS'])] : [];
}

const TABLE = [...ROUTES.flatMap(({ routes }) => routes), ...OWN_ROUTES].map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`),
}));
