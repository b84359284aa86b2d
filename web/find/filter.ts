// What is looked for, as the address says it: the folder in the path, the rest behind the question mark.
import type { DocumentKind, DocumentSort, FindDocumentsQueryVariables } from '../generated/operations.ts';

export type Filter = {
  /** Null: everywhere; 'unfiled': in no folder. */
  folderId: string | null;
  q: string;
  kind: DocumentKind | null;
  archived: boolean;
  /** With what lies in folders below. */
  below: boolean;
  sort: DocumentSort;
  descending: boolean;
};

export const KINDS: readonly DocumentKind[] = ['model', 'assembly', 'code'];
const SORTS: readonly DocumentSort[] = ['number', 'name', 'createdAt', 'updatedAt'];
const oneOf = <Word extends string>(words: readonly Word[], given: string): Word | undefined =>
  words.find((word) => word === given);

/** Reads the filter of an address; words it does not know are as good as absent. `sort` is a field, with a minus when it descends. */
export function filterOf(folderId: string | null, query: URLSearchParams): Filter {
  const given = query.get('sort') ?? '-updatedAt';
  const sort = oneOf(SORTS, given.replace(/^-/, ''));
  return {
    folderId,
    q: query.get('q') ?? '',
    kind: oneOf(KINDS, query.get('kind') ?? '') ?? null,
    archived: query.has('archived'),
    below: query.has('below'),
    sort: sort ?? 'updatedAt',
    descending: sort ? given.startsWith('-') : true,
  };
}

/** What the service is asked; a search looks below the folder too. */
export function variablesOf({
  folderId,
  q,
  kind,
  archived,
  below,
  sort,
  descending,
}: Filter): FindDocumentsQueryVariables {
  const searched = q.trim();
  return {
    q: searched || null,
    folderId,
    recursive: folderId !== null && folderId !== 'unfiled' && (below || searched !== ''),
    kind,
    includeArchived: archived,
    sort,
    descending,
  };
}

/** The address word for sorting by a field: pressed again, it turns round. Dates begin with the newest. */
export function sortWord({ sort, descending }: Filter, field: DocumentSort): string | null {
  const down = sort === field ? !descending : field === 'updatedAt' || field === 'createdAt';
  const word = `${down ? '-' : ''}${field}`;
  return word === '-updatedAt' ? null : word;
}
