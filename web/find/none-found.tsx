import { addressOf, withQuery } from '../shell/addresses.ts';
import { Nothing } from '../ui/state.tsx';
import type { Filter } from './filter.ts';

/** Nothing is in the list: why that may be, and what one can do. */
export function NoneFound({ filter: { q, folderId, kind, archived } }: { filter: Filter }) {
  const searched = q.trim();
  const narrow = searched !== '' || kind !== null;
  if (!narrow) {
    return (
      <Nothing>
        <p>Nothing here yet.</p>
        <p>Drop STEP files here to make documents of them, or make an empty one with “New document”.</p>
      </Nothing>
    );
  }
  return (
    <Nothing>
      <p>
        No {kind ?? 'document'}
        {searched && ` is found for “${searched}”`}
        {folderId && ' here'}.
      </p>
      <p class="row none-found">
        {folderId && searched && (
          <a href={`${addressOf.documents()}?q=${encodeURIComponent(searched)}`}>Search everywhere</a>
        )}
        {kind && <a href={withQuery({ kind: null })}>All kinds</a>}
        {!archived && <a href={withQuery({ archived: '1' })}>With archived ones</a>}
        {searched && <a href={withQuery({ q: null })}>Clear the search</a>}
      </p>
    </Nothing>
  );
}
