// Compares error responses with the OpenAPI description. The test client does this for every response.
import { readFileSync } from 'node:fs';

type Responses = Record<string, { description?: string }>;
type Description = { paths: Record<string, Record<string, { responses: Responses }>> };

const BASE = '/api/v1';
let operations: { method: string; pattern: RegExp; parameters: number; responses: Responses }[] | undefined;

/**
 * Returns an error message if the description of an operation does not list this status and error code; null if it
 * does, or if the request matches no operation.
 */
export function undescribedError(method: string, url: string, status: number, code: string): string | null {
  const { pathname } = new URL(url);
  operations ??= readOperations();
  const path = pathname.slice(BASE.length);
  const operation = operations.find((each) => each.method === method && each.pattern.test(path));
  if (!operation || !pathname.startsWith(`${BASE}/`)) return null;
  const { description } = operation.responses[status] ?? {};
  return description?.includes(`\`${code}\``)
    ? null
    : `${method} ${path} returned ${status} ${code}, which its OpenAPI description does not list. Add the code to \`errors\` of its route.`;
}

// Literal paths match before paths with parameters, as in the router.
function readOperations(): NonNullable<typeof operations> {
  const file = new URL('../../rest-adapter/generated/openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { responses }]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        parameters: path.split('{').length - 1,
        responses,
      })),
    )
    .sort((a, b) => a.parameters - b.parameters);
}
