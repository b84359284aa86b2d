// The settings of the API process with their source, read-only.
import { useState } from 'preact/hooks';
import { HelpLink } from '../ui/help-link.tsx';
import { ErrorMessage, Loading } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { useAdministrationStatus } from './use-status.ts';

export function Settings() {
  const { status, error } = useAdministrationStatus();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const shown = status?.settings.filter(({ source }) => !onlyChanged || source !== 'default') ?? [];
  return (
    <section aria-label="Settings">
      <div class="row">
        <h1>Settings</h1>
        <label class="inline">
          <input type="checkbox" checked={onlyChanged} onChange={() => setOnlyChanged(!onlyChanged)} />
          Only those that are not the default
        </label>
      </div>
      <p>
        Settings are environment variables and apply after a restart. Credentials are not shown.{' '}
        <HelpLink topic="operating#settings">About the settings</HelpLink>
      </p>
      {error && <ErrorMessage error={error} />}
      {!status && !error && <Loading />}
      {status && (
        <Table columns={['Setting', 'Value']}>
          {shown.map(({ name, description, value, isSecret, source }) => (
            <tr key={name}>
              <td class="setting">
                <span class="mono">{name}</span>
                <div class="quiet">{description}</div>
              </td>
              <td class="setting">
                <span class="mono">{isSecret ? (source === 'default' ? '–' : 'set, not shown') : (value ?? '–')}</span>
                <div class="quiet">{source}</div>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
