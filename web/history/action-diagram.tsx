// Diagrams of what an action does to the history: existing parts are solid, new parts dashed.

type ActionDiagramProps = { action: 'newWorkspace' | 'restore' | 'takeOver'; n: number | null; target?: string };

/** Two lanes: the version, and the draft that receives its content. */
export function ActionDiagram({ action, n, target = 'draft' }: ActionDiagramProps) {
  const name = n === null ? 'this' : `v${n}`;
  return (
    <svg class="action-diagram" viewBox="0 0 220 96" role="img" aria-label={LABELS[action](name, target)}>
      <path class="line lane-1" d="M40 8V88" />
      {action === 'newWorkspace' ? (
        <path class="line lane-2" data-kind="take_over" d="M104 26V48C104 62 104 66 40 66" />
      ) : (
        <>
          <path class="line lane-2" d="M104 88V26" />
          <path
            class="line lane-1"
            data-kind={action === 'restore' ? 'restore' : 'take_over'}
            d="M40 66C74 66 74 60 74 46S74 26 98 26"
            marker-end="url(#action-arrow)"
          />
        </>
      )}
      <marker id="action-arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="arrow" d="M1 1l6 3-6 3" />
      </marker>
      <g class="dot lane-1">
        <circle cx="40" cy="66" r="6" />
      </g>
      <g class="dot lane-2" data-type="draft">
        <circle cx="104" cy="26" r="6" />
      </g>
      <text x="28" y="70" text-anchor="end">
        {name}
      </text>
      <text x="118" y="30">
        {target.length > 16 ? `${target.slice(0, 15)}…` : target}
      </text>
    </svg>
  );
}

const LABELS = {
  newWorkspace: (name: string, target: string) => `Workspace ${target} branches from ${name}.`,
  restore: (name: string, target: string) => `${target} is restored from ${name}.`,
  takeOver: (name: string, target: string) =>
    `The content of ${name} replaces that of ${target}, and ${name} becomes a parent of ${target}.`,
};
