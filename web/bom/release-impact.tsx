import { ImpactOfReleaseDocument, type ImpactOfReleaseQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Answer } from '../ui/state.tsx';
import { type Meant, meantWords, POINTING, stateWords } from './bom-words.ts';
import { hrefOf } from './cells.tsx';
import { usePages } from './use-pages.ts';

type Impact = ImpactOfReleaseQuery['releaseImpact']['items'][number];

/** Whom it touches when the version is released, made obsolete or taken back: drafts that mean something else at once, versions that become outdated. */
export function ReleaseImpact({ versionId, deed }: { versionId: string; deed: 'release' | 'obsolete' | 'take-back' }) {
  const asked = useAsk(ImpactOfReleaseDocument, { id: versionId, deed });
  const { items, more } = usePages(
    asked.data?.releaseImpact,
    async (cursor) => (await ask(ImpactOfReleaseDocument, { id: versionId, deed, cursor })).releaseImpact,
  );
  return (
    <Answer of={asked}>
      {({ releaseImpact: { label } }) =>
        items.length === 0 ? (
          <p class="quiet">
            Nobody who uses it is touched{deed === 'release' ? `; it becomes revision ${label}` : ''}.
          </p>
        ) : (
          <>
            <p>{wordsFor(items, label, deed)}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is scrolled with the keys */}
            <section class="table-box impact" tabIndex={0} aria-label="Whom it touches">
              <table>
                <thead>
                  <tr>
                    <th>Used by</th>
                    <th>Points</th>
                    <th>What happens</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((impact) => (
                    <tr key={`${impact.version.id} ${impact.points} ${impact.from?.versionId}`}>
                      <td>
                        <a href={hrefOf(impact.document.id, impact.version.id)}>
                          <span class="mono">{impact.document.number}</span> {impact.document.name}
                        </a>{' '}
                        <small>{stateWords(impact.version)}</small>
                      </td>
                      <td title={POINTING[impact.points].why}>{POINTING[impact.points].label}</td>
                      <td>
                        <Effect impact={impact} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
            {more && (
              <button type="button" onClick={() => void more()}>
                Show more
              </button>
            )}
          </>
        )
      }
    </Answer>
  );
}

function Effect({ impact: { effect, from, to } }: { impact: Impact }) {
  if (effect === 'becomes_outdated') return <span class="mark warn">becomes outdated</span>;
  if (effect === 'no_longer_outdated') return <span class="mark good">is no longer outdated</span>;
  return (
    <span>
      {words(from)} → <b>{words(to)}</b>
    </span>
  );
}

const words = (meant: Meant | null | undefined): string => (meant ? meantWords(meant) : 'nothing');

function wordsFor(items: readonly Impact[], label: string, deed: string): string {
  const drafts = items.filter(({ effect }) => effect === 'changes').length;
  const versions = items.length - drafts;
  const what =
    deed === 'release'
      ? `As revision ${label}`
      : deed === 'obsolete'
        ? `When ${label} is obsolete`
        : `When ${label} is taken back`;
  const told = [
    ...(drafts ? [`${drafts} ${drafts === 1 ? 'draft means' : 'drafts mean'} another version at once`] : []),
    ...(versions ? [`${versions} ${versions === 1 ? 'version is' : 'versions are'} marked, and stay as they are`] : []),
  ];
  return `${what}: ${told.join('; ')}.`;
}
