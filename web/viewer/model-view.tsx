// The 3D view of a draft or version, and of two beside each other.
import { useEffect, useState } from 'preact/hooks';
import type { OpenedStage } from './model-stage.tsx';
import { Viewed } from './viewed-model.tsx';

/** The model of a draft or version with its parts; it appears by itself when it has been made. */
export function ModelView({ versionId }: { versionId: string }) {
  return <Viewed key={versionId} versionId={versionId} />;
}

/** Turning one turns the other: both show the same place at the same scale, so that a difference in size is seen. */
export function SideBySide({ from, to }: { from: string; to: string }) {
  const [left, setLeft] = useState<OpenedStage | null>(null);
  const [right, setRight] = useState<OpenedStage | null>(null);
  useEffect(() => {
    if (!left || !right) return;
    // the larger of both says from where they are seen at first
    const [lead, other] = left.radius() >= right.radius() ? [left, right] : [right, left];
    other.follow(lead.pose());
    left.watch((pose) => right.follow(pose));
    right.watch((pose) => left.follow(pose));
    return () => {
      left.watch(null);
      right.watch(null);
    };
  }, [left, right]);
  return (
    <div class="side-by-side">
      <section aria-label="From">
        <Viewed versionId={from} compact onStage={setLeft} />
      </section>
      <section aria-label="To">
        <Viewed versionId={to} compact onStage={setRight} />
      </section>
    </div>
  );
}
