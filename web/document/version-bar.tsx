// Selects the workspace and the draft or version to show, and shows the reservation of the draft.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ArchiveWorkspaceDocument, CheckInDocument, UnarchiveWorkspaceDocument } from '../generated/operations.ts';
import { ActionDialog, type VersionAction } from '../history/action-dialogs.tsx';
import { VersionChooser } from '../history/version-chooser.tsx';
import { VersionMenu } from '../history/version-menu.tsx';
import { WorkspaceOptions } from '../history/workspace-options.tsx';
import { execute } from '../shell/api-client.ts';
import { navigate, urlFor, withQuery } from '../shell/router.ts';
import { Icon } from '../ui/icon.tsx';
import type { MenuPosition } from '../ui/menu.tsx';
import { runWithToast } from '../ui/toasts.tsx';
import type { DocumentViewProps } from './document-page.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { ReservationControls } from './reservation-controls.tsx';
import { useBaseVersion } from './use-base-version.ts';
import { versionLabel } from './version-label.ts';

const OTHER = 'other'; // opens a dialog for versions beyond the newest hundred

/** `children` are shown in the same row if there is space. */
export function VersionBar({ children, ...props }: DocumentViewProps & { children: ComponentChildren }) {
  const { document, version, reload } = props;
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const [action, setAction] = useState<VersionAction | null>(null);
  const [choosing, setChoosing] = useState(false);
  const { workspaces } = document;
  const workspace = workspaces.find(({ id }) => id === version.workspaceId);
  const listed = document.versionGraph.nodes.map((node) => node.version);
  const all = listed.some(({ id }) => id === version.id) ? listed : [...listed, version];
  const versions = all.filter(({ type }) => type === 'version');
  const here = versions.filter(({ workspaceId }) => workspaceId === version.workspaceId);
  const elsewhere = versions.filter(({ workspaceId }) => workspaceId !== version.workspaceId);
  const workspaceName = (id: string) => workspaces.find((each) => each.id === id)?.name ?? '';
  const choose = (select: HTMLSelectElement) => {
    if (select.value !== OTHER) return show(select.value);
    select.value = version.id;
    setChoosing(true);
  };
  const show = (versionId: string) => navigate(withQuery({ version: versionId }));

  return (
    <div class="version-bar">
      <label class="inline">
        <Icon name="branch" />
        <span class="visually-hidden">Workspace</span>
        <select
          title="Workspace"
          value={version.workspaceId}
          onChange={({ currentTarget }) =>
            show(workspaces.find(({ id }) => id === currentTarget.value)?.draftId ?? version.id)
          }
        >
          <WorkspaceOptions workspaces={workspaces} />
        </select>
      </label>
      <label class="inline">
        <Icon name="history" />
        <span class="visually-hidden">Version</span>
        <select title="Version" value={version.id} onChange={({ currentTarget }) => choose(currentTarget)}>
          {workspace && <option value={workspace.draftId}>Draft</option>}
          {here.map((each) => (
            <option key={each.id} value={each.id}>
              {versionLabel(each)}
            </option>
          ))}
          {elsewhere.length > 0 && (
            <optgroup label="Other workspaces">
              {elsewhere.map((each) => (
                <option key={each.id} value={each.id}>
                  {versionLabel(each)} · {workspaceName(each.workspaceId)}
                </option>
              ))}
            </optgroup>
          )}
          {document.versionGraph.rows > listed.length && <option value={OTHER}>Another version…</option>}
        </select>
      </label>
      <button
        type="button"
        class="bare"
        aria-label={`Actions for ${version.type === 'draft' ? 'the draft' : `v${version.n}`}`}
        title="More actions: new workspace, restore, take over, rename, archive…"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setMenu({ x: left, y: bottom });
        }}
      >
        <Icon name="more" />
      </button>
      {version.type === 'draft' && <DraftChanges version={version} />}
      {workspace?.archived && <span class="mark warn">workspace archived</span>}
      {workspace && <ReservationControls key={workspace.id} workspace={workspace} onChanged={reload} />}
      {children}
      {menu && (
        <VersionMenu
          documentId={document.id}
          versionId={version.id}
          position={menu}
          onClose={() => setMenu(null)}
          onAction={(chosen) => runAction(chosen, props, setAction)}
        />
      )}
      {choosing && (
        <VersionChooser
          documentId={document.id}
          title="Select version"
          onPick={show}
          onClose={() => setChoosing(false)}
        />
      )}
      {action?.name === 'release' && (
        <ReleaseDialog versionId={action.version.id} onReleased={reload} onClose={() => setAction(null)} />
      )}
      {action && action.name !== 'release' && <ActionDialog action={action} onClose={() => setAction(null)} />}
    </div>
  );
}

/** Says whether a draft differs from the version that it is based on. */
function DraftChanges({ version }: { version: DocumentViewProps['version'] }) {
  const base = useBaseVersion(version);
  if (!base) return null;
  return base.isUnchanged ? (
    <small class="draft-changes">same as v{base.n}</small>
  ) : (
    <a
      class="mark accent draft-changes"
      href={urlFor.document(version.documentId, 'compare', { from: base.id, to: version.id })}
      title={`Compare v${base.n} with the draft`}
    >
      changed since v{base.n}
    </a>
  );
}

/** Runs an action directly, navigates to its view, or opens its dialog. */
function runAction(
  action: VersionAction,
  { document, reload }: DocumentViewProps,
  openDialog: (action: VersionAction) => void,
): void {
  const { name, version } = action;
  const { workspace } = version;
  const run = (command: () => Promise<unknown>, success: string) => void runWithToast(command, success).then(reload);
  if (name === 'view' || name === 'upload') navigate(urlFor.document(document.id, '', { version: version.id }));
  else if (name === 'compare') navigate(urlFor.document(document.id, 'compare', comparisonOf(document, version)));
  else if (name === 'checkIn')
    run(() => execute(CheckInDocument, { id: workspace.id }), `Checked in ${workspace.name}.`);
  else if (name === 'forceCheckIn')
    run(() => execute(CheckInDocument, { id: workspace.id, force: true }), `Checked in ${workspace.name}.`);
  else if (name === 'archiveWorkspace')
    run(() => execute(ArchiveWorkspaceDocument, { id: workspace.id }), `Archived workspace ${workspace.name}.`);
  else if (name === 'unarchiveWorkspace')
    run(() => execute(UnarchiveWorkspaceDocument, { id: workspace.id }), `Unarchived workspace ${workspace.name}.`);
  else openDialog(action);
}

/**
 * Returns which versions to compare: a version and the draft of its workspace, or a draft and the newest version there.
 */
function comparisonOf(
  { workspaces }: DocumentViewProps['document'],
  { id, type, workspace }: VersionAction['version'],
): { from: string; to: string } {
  const { newestVersionId, draftId } = workspaces.find((each) => each.id === workspace.id) ?? {};
  return type === 'draft' ? { from: newestVersionId ?? '', to: id } : { from: id, to: draftId ?? '' };
}
