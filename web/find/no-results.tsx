import { urlFor, withQuery } from '../shell/router.ts';
import { EmptyState } from '../ui/status.tsx';
import { activeFilters, type Filter } from './filter.ts';

/** The empty state of the document list: explains why it is empty and offers ways out. */
export function NoResults({ filter }: { filter: Filter }) {
  const { q, folderId, kind, includeArchived } = filter;
  const active = activeFilters(filter);
  const search = q.trim();
  if (search === '' && active.length === 0) {
    return (
      <EmptyState>
        <p>No documents yet.</p>
        <p>Drop STEP files here to create documents from them, or choose “New document”.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState>
      <p>
        No {kind ?? 'document'} found
        {search && ` for “${search}”`}
        {folderId && ' in this folder'}.
      </p>
      <p class="row no-results">
        {folderId && search && <a href={`${urlFor.documents()}?q=${encodeURIComponent(search)}`}>Search all folders</a>}
        {active.map(({ parameter, label }) => (
          <a key={parameter} href={withQuery({ [parameter]: null })}>
            {label}
          </a>
        ))}
        {!includeArchived && <a href={withQuery({ archived: '1' })}>Include archived</a>}
        {search && <a href={withQuery({ q: null })}>Clear search</a>}
      </p>
    </EmptyState>
  );
}
