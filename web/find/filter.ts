// The filter of the document list: the folder is part of the URL path, the rest are query parameters.
import type { DocumentKind, DocumentSort, FindDocumentsQueryVariables } from '../generated/operations.ts';

export type Filter = {
  /** Null: all documents; 'unfiled': documents without a folder. */
  folderId: string | null;
  q: string;
  kind: DocumentKind | null;
  includeArchived: boolean;
  /** Only documents that the user created. */
  mine: boolean;
  includeSubfolders: boolean;
  sort: DocumentSort;
  descending: boolean;
};

export const KINDS: readonly DocumentKind[] = ['model', 'assembly', 'code'];
const SORTS: readonly DocumentSort[] = ['number', 'name', 'createdAt', 'updatedAt'];
const oneOf = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text);

/** Parses the filter; unknown values are ignored. `sort` is a field, prefixed with `-` for descending order. */
export function parseFilter(folderId: string | null, query: URLSearchParams): Filter {
  const sortParameter = query.get('sort') ?? '-updatedAt';
  const sort = oneOf(SORTS, sortParameter.replace(/^-/, ''));
  return {
    folderId,
    q: query.get('q') ?? '',
    kind: oneOf(KINDS, query.get('kind') ?? '') ?? null,
    includeArchived: query.has('archived'),
    mine: query.has('mine'),
    includeSubfolders: query.has('below'),
    sort: sort ?? 'updatedAt',
    descending: sort ? sortParameter.startsWith('-') : true,
  };
}

/** Returns the variables of the GraphQL query. A search in a folder includes its subfolders. */
export function queryVariables(
  { folderId, q, kind, includeArchived, mine, includeSubfolders, sort, descending }: Filter,
  userId: string | undefined,
): FindDocumentsQueryVariables {
  const search = q.trim();
  return {
    q: search || null,
    folderId,
    recursive: folderId !== null && folderId !== 'unfiled' && (includeSubfolders || search !== ''),
    kind,
    createdBy: mine ? (userId ?? null) : null,
    includeArchived,
    sort,
    descending,
  };
}

/**
 * Returns the `sort` parameter after a click on a column: reverses the current column; dates start with the newest.
 * Null for the default order.
 */
export function nextSort({ sort, descending }: Filter, field: DocumentSort): string | null {
  const nextDescending = sort === field ? !descending : field === 'updatedAt' || field === 'createdAt';
  const parameter = `${nextDescending ? '-' : ''}${field}`;
  return parameter === '-updatedAt' ? null : parameter;
}
