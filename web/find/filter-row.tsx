// The filters of the document list that are behind a button, and saving them as a search.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { navigate, route, withQuery } from '../shell/router.ts';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { type Filter, PERIODS, type Period } from './filter.ts';
import { saveSearch } from './personal-lists.ts';

const CHANGED: Record<Period, string> = {
  '1': 'Today',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '365': 'Last 365 days',
};

type RowProps = {
  filter: Filter /** The users who can be chosen as creators, by id. */;
  creators: ReadonlyMap<string, string>;
};

export function FilterRow({ filter, creators }: RowProps) {
  const { createdBy, released, reserved, failedJobs, changedWithin } = filter;
  const [saving, setSaving] = useState(false);
  const isUnknown = createdBy !== null && createdBy !== 'me' && !creators.has(createdBy);
  return (
    <div class="row filter-row">
      <Choice parameter="released" label="State" value={released === null ? '' : released ? 'yes' : 'no'}>
        <option value="">All states</option>
        <option value="yes">Released</option>
        <option value="no">Not released</option>
      </Choice>
      <Choice parameter="reserved" label="Check-out" value={reserved ?? ''}>
        <option value="">Checked out or not</option>
        <option value="me">Checked out by me</option>
        <option value="others">Checked out by others</option>
        <option value="anyone">Checked out by anyone</option>
      </Choice>
      <Choice parameter="by" label="Creator" value={createdBy ?? ''}>
        <option value="">Created by anybody</option>
        <option value="me">Created by me</option>
        {isUnknown && <option value={createdBy}>Created by another user</option>}
        {[...creators].map(([id, name]) => (
          <option key={id} value={id}>
            Created by {name}
          </option>
        ))}
      </Choice>
      <Choice parameter="changed" label="Changed" value={changedWithin ?? ''}>
        <option value="">Changed at any time</option>
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {CHANGED[period]}
          </option>
        ))}
      </Choice>
      <label class="inline">
        <input
          type="checkbox"
          checked={failedJobs}
          onChange={({ currentTarget }) => navigate(withQuery({ failed: currentTarget.checked ? '1' : null }))}
        />
        With failed jobs
      </label>
      <button type="button" class="link" onClick={() => setSaving(true)}>
        Save search…
      </button>
      {saving && (
        <FormDialog
          title="Save search"
          submitLabel="Save"
          help="guide#documents-and-folders"
          onClose={() => setSaving(false)}
          onSubmit={async (form) => {
            const { path, query } = route.value;
            saveSearch({ name: formValue(form, 'name') ?? '', url: `${path}?${query}` });
          }}
        >
          <p>Saved searches are listed below the folders, in this browser only.</p>
          <label>
            Name
            <input name="name" required maxLength={100} />
          </label>
        </FormDialog>
      )}
    </div>
  );
}

type ChoiceProps = { parameter: string; label: string; value: string; children: ComponentChildren };

function Choice({ parameter, label, value, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => navigate(withQuery({ [parameter]: currentTarget.value || null }))}
    >
      {children}
    </select>
  );
}
