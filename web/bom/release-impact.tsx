// The impact of releasing a version, making it obsolete, or taking it back.
import { ImpactOfReleaseDocument, type ImpactOfReleaseQuery } from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { QueryView } from '../ui/status.tsx';
import { REFERENCE_TYPES, type ResolvedVersion, resolvedLabel, versionLabel } from './bom-lines.ts';
import { versionUrl } from './reference-cells.tsx';
import { usePages } from './use-pages.ts';

type Impact = ImpactOfReleaseQuery['releaseImpact']['items'][number];

/** Lists the drafts that will resolve to another version and the versions that will become outdated. */
export function ReleaseImpact({
  versionId,
  action,
}: {
  versionId: string;
  action: 'release' | 'obsolete' | 'take_back';
}) {
  const result = useQuery(ImpactOfReleaseDocument, { id: versionId, action });
  const { items, readMore } = usePages(
    result.data?.releaseImpact,
    async (cursor) => (await execute(ImpactOfReleaseDocument, { id: versionId, action, cursor })).releaseImpact,
  );
  return (
    <QueryView query={result}>
      {({ releaseImpact: { label } }) =>
        items.length === 0 ? (
          <p class="quiet">
            No drafts or versions are affected.{action === 'release' ? ` The version becomes revision ${label}.` : ''}
          </p>
        ) : (
          <>
            <p>{summaryText(items, label, action)}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll the box */}
            <section class="table-box impact" tabIndex={0} aria-label="Affected drafts and versions">
              <table>
                <thead>
                  <tr>
                    <th>Used by</th>
                    <th>Reference</th>
                    <th>Effect</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((impact) => (
                    <tr key={`${impact.version.id} ${impact.addressForm} ${impact.from?.versionId}`}>
                      <td>
                        <a href={versionUrl(impact.document.id, impact.version.id)}>
                          <span class="mono">{impact.document.number}</span> {impact.document.name}
                        </a>{' '}
                        <small>{versionLabel(impact.version)}</small>
                      </td>
                      <td title={REFERENCE_TYPES[impact.addressForm].tooltip}>
                        {REFERENCE_TYPES[impact.addressForm].label}
                      </td>
                      <td>
                        <Effect impact={impact} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
            {readMore && (
              <button type="button" onClick={() => void readMore()}>
                Show more
              </button>
            )}
          </>
        )
      }
    </QueryView>
  );
}

function Effect({ impact: { effect, from, to } }: { impact: Impact }) {
  if (effect === 'becomes_outdated') return <span class="mark warn">becomes outdated</span>;
  if (effect === 'no_longer_outdated') return <span class="mark good">is no longer outdated</span>;
  return (
    <span>
      {resolvedText(from)} → <b>{resolvedText(to)}</b>
    </span>
  );
}

const resolvedText = (version: ResolvedVersion | null | undefined): string =>
  version ? resolvedLabel(version) : 'unresolved';

const ACTION_TEXTS = { release: 'Releasing as', obsolete: 'Obsoleting', take_back: 'Taking back' };

function summaryText(items: readonly Impact[], label: string, action: keyof typeof ACTION_TEXTS): string {
  const drafts = items.filter(({ effect }) => effect === 'changes').length;
  const versions = items.length - drafts;
  const effects = [
    ...(drafts ? [`${drafts} ${drafts === 1 ? 'draft resolves' : 'drafts resolve'} to another version`] : []),
    ...(versions
      ? [`${versions} ${versions === 1 ? 'version becomes' : 'versions become'} outdated or up to date`]
      : []),
  ];
  return `${ACTION_TEXTS[action]} ${label}: ${effects.join('; ')}.`;
}
