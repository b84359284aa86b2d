// Shows what somebody else has saved meanwhile beside the own changes, and asks how to continue.
import { useMemo } from 'preact/hooks';
import { Time } from '../ui/time.tsx';
import { type LineChange, lineChanges } from './merge.ts';
import type { Components } from './use-components.ts';
import type { Conflict } from './use-structure.ts';

type ConflictProps = {
  conflict: Conflict;
  components: Components;
  onResolve: (keep: 'mine' | 'theirs') => void;
};

const MAX_SHOWN = 50;

export function ConflictPanel({ conflict: { base, mine, theirs, by, at }, components, onResolve }: ConflictProps) {
  const [others, own] = useMemo(() => [lineChanges(base, theirs), lineChanges(base, mine)], [base, mine, theirs]);
  const changedByOthers = new Set(others.map(({ component }) => component));
  const both = new Set(own.flatMap(({ component }) => (changedByOthers.has(component) ? component : [])));
  return (
    <section class="conflict" role="alert" aria-label="Changes by somebody else">
      <p>
        <b>{by ?? 'Somebody else'}</b> has changed this assembly{' '}
        {at && (
          <>
            <Time at={at} />{' '}
          </>
        )}
        while you edited it. Nothing was saved.
      </p>
      <div class="conflict-sides">
        <Changes
          title={by ? `Changes by ${by}` : 'Their changes'}
          changes={others}
          both={both}
          components={components}
        />
        <Changes title="Your changes" changes={own} both={both} components={components} />
      </div>
      {both.size > 0 && <p class="quiet">Where both changed the same component, your change applies.</p>}
      <div class="row">
        <button type="button" class="primary" onClick={() => onResolve('mine')}>
          Reload and apply my changes
        </button>
        <button type="button" onClick={() => onResolve('theirs')}>
          Discard mine
        </button>
      </div>
    </section>
  );
}

type ChangesProps = {
  title: string;
  changes: readonly LineChange[];
  /** The components that both have changed. */
  both: ReadonlySet<string>;
  components: Components;
};

function Changes({ title, changes, both, components }: ChangesProps) {
  return (
    <div>
      <h3>{title}</h3>
      {changes.length === 0 ? (
        <p class="quiet">No component differs.</p>
      ) : (
        <ul>
          {changes.slice(0, MAX_SHOWN).map(({ component, location, text }) => {
            const document = components.documentOf(location);
            return (
              <li key={`${component} ${text}`}>
                <b>{document?.number ?? component}</b>
                {document && ` ${document.name}`}: {text}
                {both.has(component) && <span class="mark warn">both changed</span>}
              </li>
            );
          })}
        </ul>
      )}
      {changes.length > MAX_SHOWN && <p class="quiet">and {changes.length - MAX_SHOWN} more</p>}
    </div>
  );
}
