// The 3D view of a draft or version, and the comparison of two side by side.
import { useEffect, useState } from 'preact/hooks';
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
  return (
    <div class="side-by-side">
      <section aria-label="From">
        <VersionModel versionId={from} compact onStage={setLeft} />
      </section>
      <section aria-label="To">
        <VersionModel versionId={to} compact onStage={setRight} />
      </section>
    </div>
  );
}
