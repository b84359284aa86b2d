// The 3D view of a draft or version, and the comparison of two side by side.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { compareParts, type PartDifferences } from './compare-parts.ts';
import type { LineLink, OpenedStage } from './model-stage.tsx';
import { VersionModel } from './version-model.tsx';

/** The 3D model of a draft or version with its part tree. */
export function ModelView({ versionId }: { versionId: string }) {
  return <VersionModel key={versionId} versionId={versionId} />;
}

/** The 3D model of an assembly beside its bill of materials, with a common selection. */
export function LinkedModel({ versionId, link }: { versionId: string; link: LineLink }) {
  return (
    <section class="linked-model" aria-label="3D view">
      <VersionModel key={versionId} versionId={versionId} compact link={link} />
    </section>
  );
}

/** Two models with linked cameras: both show the same region at the same scale, so sizes can be compared. */
export function SideBySide({ from, to }: { from: string; to: string }) {
  const [left, setLeft] = useState<OpenedStage | null>(null);
  const [right, setRight] = useState<OpenedStage | null>(null);
  useEffect(() => {
    if (!left || !right) return;
    // the larger model determines the initial view
    const [lead, other] = left.radius() >= right.radius() ? [left, right] : [right, left];
    other.follow(lead.pose());
    left.setPoseListener((pose) => right.follow(pose));
    right.setPoseListener((pose) => left.follow(pose));
    return () => {
      left.setPoseListener(null);
      right.setPoseListener(null);
    };
  }, [left, right]);
  const comparison = useMemo(
    () => (left && right ? compareParts(left.comparedParts(), right.comparedParts()) : null),
    [left, right],
  );
  const [isColored, setColored] = useState(true);
  // of one part, the color would say no more than the numbers below
  const shown = isColored && comparison && isWorthColoring(comparison) ? comparison : null;
  return (
    <>
      {comparison && isWorthColoring(comparison) && (
        <p class="row part-differences">
          <label class="inline">
            <input
              type="checkbox"
              checked={isColored}
              onChange={({ currentTarget }) => setColored(currentTarget.checked)}
            />
            Color the differences
          </label>
          {DIFFERENCES.map(
            (difference) =>
              comparison.counts[difference] > 0 && (
                <span key={difference} class="part-difference" data-difference={difference}>
                  {comparison.counts[difference]} {difference}
                </span>
              ),
          )}
          <small>Whole parts, by place and triangles</small>
        </p>
      )}
      <div class="side-by-side">
        <section aria-label="From">
          <VersionModel versionId={from} compact differences={shown?.from ?? null} onStage={setLeft} />
        </section>
        <section aria-label="To">
          <VersionModel versionId={to} compact differences={shown?.to ?? null} onStage={setRight} />
        </section>
      </div>
    </>
  );
}

const DIFFERENCES = ['added', 'removed', 'changed', 'same'] as const;

const isWorthColoring = ({ counts: { added, removed, changed, same } }: PartDifferences): boolean =>
  added + removed + changed + same > 1 && added + removed + changed > 0;
