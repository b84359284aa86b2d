// The references of an assembly that have newer releases or versions, and updating them in the draft.

import { useState } from 'preact/hooks';
import {
  ReferenceUpdatesDocument,
  type ReferenceUpdatesQuery,
  UpdateReferencesDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { isAboutDocument } from '../shell/live-events.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton, type Permission } from '../ui/action-button.tsx';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, QueryView } from '../ui/status.tsx';
import { runWithToast, showSuccess } from '../ui/toasts.tsx';
import { referenceTypeOf, resolvedLabel } from './bom-lines.ts';
import { DocumentCell, ResolvedCell } from './reference-cells.tsx';
import { type UpdateTarget, updatablePaths, updatableReferences, withSelection } from './updates.ts';

type Update = ReferenceUpdatesQuery['referenceUpdates'][number];

/** The references of a draft or version; those of a draft can be updated. */
export function UpdatesTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const result = useQuery(
    ReferenceUpdatesDocument,
    { id: versionId },
    (event) => isAboutDocument(documentId)(event) || /^(version|revision)\./.test(event.type),
  );
  return (
    <div class="bom bom-tab updates">
      <QueryView query={result}>
        {({ version, referenceUpdates }) => {
          if (!version) return <EmptyState>Draft or version not found.</EmptyState>;
          const isDraft = version.type === 'draft';
          const permission: Permission = isDraft
            ? version.workspace.permissions.canUpload
            : { allowed: false, message: 'Versions cannot be changed. Update a draft instead.' };
          return (
            <Updates
              key={versionId}
              versionId={versionId}
              updates={referenceUpdates}
              permission={permission}
              onUpdated={result.reload}
            />
          );
        }}
      </QueryView>
    </div>
  );
}

type UpdatesProps = { versionId: string; updates: readonly Update[]; permission: Permission; onUpdated: () => void };

function Updates({ versionId, updates, permission, onUpdated }: UpdatesProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [showAll, setShowAll] = useState(false);
  const updatable = updatableReferences(updates);
  const rows = showAll ? updates : updatable;
  const allSelected = updatable.length > 0 && updatable.every(({ path }) => selected.has(path));

  const update = (target: UpdateTarget) =>
    runWithToast(async () => {
      const paths = updatablePaths(updates, selected, target);
      const { updateReferences: updated } = await execute(UpdateReferencesDocument, {
        id: versionId,
        paths: [...selected],
        to: target,
      });
      showSuccess(`${updated.changed.length} of ${selected.size} references updated.`);
      setErrors(new Map(updated.unchanged.map(({ path, message }) => [path, message])));
      setSelected(new Set(updated.unchanged.filter(({ path }) => paths.includes(path)).map(({ path }) => path)));
      onUpdated();
    });
  const permissionFor = (target: UpdateTarget): Permission => {
    if (!permission.allowed) return permission;
    if (selected.size === 0) return { allowed: false, message: 'Select references to update.' };
    if (updatablePaths(updates, selected, target).length > 0) return permission;
    return { allowed: false, message: `The selected references have no newer ${target}.` };
  };

  if (updates.length === 0)
    return (
      <EmptyState>
        <p>No references.</p>
        <HelpLink topic="guide#assemblies">About assemblies</HelpLink>
      </EmptyState>
    );
  return (
    <>
      <div class="bom-tools">
        <ActionButton class="primary" permission={permissionFor('release')} onClick={() => void update('release')}>
          Update to newest release ({updatablePaths(updates, selected, 'release').length})
        </ActionButton>
        <ActionButton permission={permissionFor('version')} onClick={() => void update('version')}>
          Update to newest version ({updatablePaths(updates, selected, 'version').length})
        </ActionButton>
        <span role="status" class="quiet">
          {updatable.length === 0
            ? 'All references are up to date.'
            : `${updatable.length} of ${updates.length} references have updates.`}
        </span>
        <label class="inline end">
          <input type="checkbox" checked={showAll} onChange={(event) => setShowAll(event.currentTarget.checked)} /> Show
          all references
        </label>
      </div>
      {rows.length > 0 && (
        <div class="table-box card-table">
          <table>
            <thead>
              <tr>
                <th>
                  <input
                    type="checkbox"
                    aria-label="Select all with updates"
                    checked={allSelected}
                    onChange={(event) =>
                      setSelected(new Set(event.currentTarget.checked ? updatable.map(({ path }) => path) : []))
                    }
                  />
                </th>
                <th>Document</th>
                <th>Current</th>
                <th>Newest release</th>
                <th>Newest version</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((update) => (
                <Line
                  key={update.path}
                  update={update}
                  selected={selected.has(update.path)}
                  error={errors.get(update.path)}
                  onSelect={(on) => setSelected(withSelection(selected, update.path, on))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

type LineProps = {
  update: Update;
  selected: boolean;
  error: string | undefined;
  onSelect: (selected: boolean) => void;
};

function Line({ update, selected, error, onSelect }: LineProps) {
  const { document, current, newestRelease, newestVersion, location, reason, status } = update;
  const hasUpdate = Boolean(update.toRelease || update.toVersion);
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Select ${update.number ?? location}`}
          checked={selected}
          disabled={!hasUpdate}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </td>
      <td>
        <div class="row">
          <DocumentCell
            document={document ?? null}
            address={location}
            thumbnailUrl={document?.thumbnailUrl}
            isTabStop
          />
        </div>
        {error && <div class="error-text">{error}</div>}
        {status === 'unresolved' && <div class="error-text">{reason}</div>}
      </td>
      <td>
        <div class="row">
          <ResolvedCell version={current ?? null} type={referenceTypeOf(location)} />
          {current?.obsolete && <span class="mark bad">obsolete</span>}
        </div>
      </td>
      <td>
        <NewestCell version={newestRelease} isUpdate={Boolean(update.toRelease)} />
      </td>
      <td>
        <NewestCell version={newestVersion} isUpdate={Boolean(update.toVersion)} />
      </td>
    </tr>
  );
}

function NewestCell({ version, isUpdate }: { version: Update['newestRelease']; isUpdate: boolean }) {
  if (!version) return <span class="quiet">none</span>;
  return isUpdate ? <b>{resolvedLabel(version)}</b> : <span class="quiet">{resolvedLabel(version)}</span>;
}
