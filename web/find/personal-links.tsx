// The saved searches, starred and recent documents below the folders.
import { urlFor } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import { kindIcon } from '../ui/thumbnail.tsx';
import { deleteSearch, type KeptDocument, personalLists } from './personal-lists.ts';

export function PersonalLinks() {
  const { searches, starred, recent } = personalLists();
  return (
    <>
      {searches.length > 0 && (
        <section class="personal-links" aria-label="Saved searches">
          <h2>Saved searches</h2>
          <ul>
            {searches.map(({ name, url }) => (
              <li key={name}>
                <Icon name="search" />
                <a class="cut-here" href={url} title={name}>
                  {name}
                </a>
                <button
                  type="button"
                  class="bare"
                  aria-label={`Delete the search ${name}`}
                  onClick={() => deleteSearch(name)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Documents title="Starred" documents={starred} />
      <Documents title="Recent" documents={recent} />
    </>
  );
}

function Documents({ title, documents }: { title: string; documents: readonly KeptDocument[] }) {
  if (documents.length === 0) return null;
  return (
    <section class="personal-links" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {documents.map(({ id, number, name, kind }) => (
          <li key={id}>
            <Icon name={kindIcon(kind)} />
            <a class="cut-here" href={urlFor.document(id)} title={`${number} ${name}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
