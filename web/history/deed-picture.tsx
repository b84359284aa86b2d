// Small pictures of what a deed does to the history: what is there is drawn with full lines, what comes with dashed ones.

type DeedPictureProps = { of: 'newWorkspace' | 'restore' | 'takeOver'; n: number | null; target?: string };

/** Two lanes with the version, and where its content goes. */
export function DeedPicture({ of, n, target = 'draft' }: DeedPictureProps) {
  const name = n === null ? 'this' : `v${n}`;
  return (
    <svg class="deed-picture" viewBox="0 0 220 96" role="img" aria-label={SAYS[of](name, target)}>
      <path class="line lane-1" d="M40 8V88" />
      {of === 'newWorkspace' ? (
        <path class="line takeOver lane-2" d="M104 26V48C104 62 104 66 40 66" />
      ) : (
        <>
          <path class="line lane-2" d="M104 88V26" />
          <path class="line takeOver lane-1" d="M40 66C74 66 74 60 74 46S74 26 98 26" marker-end="url(#deed-arrow)" />
        </>
      )}
      <marker id="deed-arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path class="arrow" d="M1 1l6 3-6 3" />
      </marker>
      <g class="dot version lane-1">
        <circle cx="40" cy="66" r="6" />
      </g>
      <g class="dot draft lane-2">
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

const SAYS = {
  newWorkspace: (name: string, target: string) => `A new line, ${target}, leaves ${name}.`,
  restore: (name: string, target: string) => `The content of ${name} goes into ${target}.`,
  takeOver: (name: string, target: string) =>
    `The content of ${name} goes into ${target}, which descends from both from then on.`,
};
