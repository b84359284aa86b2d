// The filter of the document list: the folder is part of the URL path, the rest are query parameters.
import type { DocumentKind, DocumentSort, FindDocumentsQueryVariables, ReservedBy } from '../generated/operations.ts';

export type Filter = {
  /** Null: all documents; 'unfiled': documents without a folder. */
  folderId: string | null;
  q: string;
  kind: DocumentKind | null;
  includeArchived: boolean;
  /** Only documents that this user created; `me` is the current user. */
  createdBy: string | null;
  released: boolean | null;
  reserved: ReservedBy | null;
  failedJobs: boolean;
  /** Only documents that were changed today, or within this number of days. */
  changedWithin: Period | null;
  includeSubfolders: boolean;
  sort: DocumentSort;
  descending: boolean;
};

export const KINDS: readonly DocumentKind[] = ['model', 'assembly', 'code'];
export const PERIODS = ['1', '7', '30', '365'] as const;
export type Period = (typeof PERIODS)[number];
const RESERVED: readonly ReservedBy[] = ['me', 'others', 'anyone'];
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
    createdBy: query.get('by'),
    released: { yes: true, no: false }[query.get('released') ?? ''] ?? null,
    reserved: oneOf(RESERVED, query.get('reserved') ?? '') ?? null,
    failedJobs: query.has('failed'),
    changedWithin: oneOf(PERIODS, query.get('changed') ?? '') ?? null,
    includeSubfolders: query.has('below'),
    sort: sort ?? 'updatedAt',
    descending: sort ? sortParameter.startsWith('-') : true,
  };
}

/** The query parameters of the filters beside the search; those of `filter` that are set, by their labels. */
export function activeFilters(filter: Filter): { parameter: string; label: string }[] {
  const { kind, createdBy, released, reserved, failedJobs, changedWithin } = filter;
  const found: (readonly [parameter: string, isActive: boolean, label: string])[] = [
    ['kind', kind !== null, 'All kinds'],
    ['released', released !== null, 'Released or not'],
    ['reserved', reserved !== null, 'Checked out or not'],
    ['by', createdBy !== null, 'Created by anybody'],
    ['changed', changedWithin !== null, 'Changed at any time'],
    ['failed', failedJobs, 'With and without failed jobs'],
  ];
  return found.flatMap(([parameter, isActive, label]) => (isActive ? [{ parameter, label }] : []));
}

/** Returns the variables of the GraphQL query. A search in a folder includes its subfolders. Periods end with `now`. */
export function queryVariables(
  filter: Filter,
  userId: string | undefined,
  now = new Date(),
): FindDocumentsQueryVariables {
  const { folderId, q, kind, createdBy, changedWithin, includeSubfolders } = filter;
  const { includeArchived, released, reserved, failedJobs, sort, descending } = filter;
  const search = q.trim();
  return {
    q: search || null,
    folderId,
    recursive: folderId !== null && folderId !== 'unfiled' && (includeSubfolders || search !== ''),
    kind,
    createdBy: createdBy === 'me' ? (userId ?? null) : createdBy,
    includeArchived,
    released,
    reserved,
    failedJobs,
    updatedFrom: changedWithin && startOfPeriod(Number(changedWithin), now),
    sort,
    descending,
  };
}

// whole days, so that the variables stay the same for a day
const startOfPeriod = (days: number, now: Date): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).toISOString();

/**
 * Returns the `sort` parameter after a click on a column: reverses the current column; dates start with the newest.
 * Null for the default order.
 */
export function nextSort({ sort, descending }: Filter, field: DocumentSort): string | null {
  const nextDescending = sort === field ? !descending : field === 'updatedAt' || field === 'createdAt';
  const parameter = `${nextDescending ? '-' : ''}${field}`;
  return parameter === '-updatedAt' ? null : parameter;
}
