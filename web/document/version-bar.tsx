// Which workspace and which draft or version of it is looked at, and who holds the draft.
import { useState } from 'preact/hooks';
import {
  ArchiveWorkspaceHereDocument,
  CheckInDocument,
  UnarchiveWorkspaceHereDocument,
} from '../generated/operations.ts';
import { DeedDialog, type OpenDeed } from '../history/deed-dialogs.tsx';
import { VersionChooser } from '../history/version-chooser.tsx';
import { VersionMenu } from '../history/version-menu.tsx';
import { WorkspaceOptions } from '../history/workspace-options.tsx';
import { addressOf, go, withQuery } from '../shell/addresses.ts';
import { ask } from '../shell/ask.ts';
import { Icon } from '../ui/icon.tsx';
import type { Spot } from '../ui/menu.tsx';
import { attempt } from '../ui/notes.tsx';
import type { Shown } from './document-page.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { Reservation } from './reservation.tsx';
import { versionWords } from './version-words.ts';

const OTHER = 'other'; // beside those that are listed, the newest hundred

export function VersionBar(shown: Shown) {
  const { document, version, reload } = shown;
  const [menu, setMenu] = useState<Spot | null>(null);
  const [deed, setDeed] = useState<OpenDeed | null>(null);
  const [choosing, setChoosing] = useState(false);
  const { workspaces } = document;
  const workspace = workspaces.find(({ id }) => id === version.workspaceId);
  const listed = document.versionGraph.nodes.map((node) => node.version);
  const all = listed.some(({ id }) => id === version.id) ? listed : [...listed, version];
  const here = all.filter(({ workspaceId, type }) => workspaceId === version.workspaceId && type === 'version');
  const elsewhere = all.filter(({ workspaceId, type }) => workspaceId !== version.workspaceId && type === 'version');
  const nameOf = (id: string) => workspaces.find((each) => each.id === id)?.name ?? '';
  const choose = (select: HTMLSelectElement) => {
    if (select.value !== OTHER) return look(select.value);
    select.value = version.id;
    setChoosing(true);
  };
  const look = (versionId: string) => go(withQuery({ version: versionId }));

  return (
    <div class="version-bar">
      <label class="inline">
        Workspace
        <select
          value={version.workspaceId}
          onChange={({ currentTarget }) =>
            look(workspaces.find(({ id }) => id === currentTarget.value)?.draftId ?? version.id)
          }
        >
          <WorkspaceOptions workspaces={workspaces} />
        </select>
      </label>
      <label class="inline">
        Shown
        <select value={version.id} onChange={({ currentTarget }) => choose(currentTarget)}>
          {workspace && <option value={workspace.draftId}>Draft</option>}
          {here.map((each) => (
            <option key={each.id} value={each.id}>
              {versionWords(each)}
            </option>
          ))}
          {elsewhere.length > 0 && (
            <optgroup label="Other workspaces">
              {elsewhere.map((each) => (
                <option key={each.id} value={each.id}>
                  {versionWords(each)} · {nameOf(each.workspaceId)}
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
        aria-label={`What to do with ${version.type === 'draft' ? 'the draft' : `v${version.n}`}`}
        title="What to do with it: branch, restore, take over, rename, archive…"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setMenu({ x: left, y: bottom });
        }}
      >
        <Icon name="more" />
      </button>
      {workspace?.archived && <span class="mark warn">workspace archived</span>}
      {workspace && <Reservation key={workspace.id} workspace={workspace} onChanged={reload} />}
      {menu && (
        <VersionMenu
          documentId={document.id}
          versionId={version.id}
          spot={menu}
          onClose={() => setMenu(null)}
          onDeed={(wanted) => doDeed(wanted, shown, setDeed)}
        />
      )}
      {choosing && (
        <VersionChooser
          documentId={document.id}
          title="Which version is shown?"
          onPick={look}
          onClose={() => setChoosing(false)}
        />
      )}
      {deed?.name === 'release' && (
        <ReleaseDialog versionId={deed.version.id} onReleased={reload} onClose={() => setDeed(null)} />
      )}
      {deed && deed.name !== 'release' && <DeedDialog deed={deed} onClose={() => setDeed(null)} />}
    </div>
  );
}

/** Deeds without a question are done; one with its own view is gone to; the others ask in a dialog. */
function doDeed(deed: OpenDeed, { document, reload }: Shown, open: (deed: OpenDeed) => void): void {
  const { name, version } = deed;
  const { workspace } = version;
  const done = (what: () => Promise<unknown>, words: string) => void attempt(what, words).then(reload);
  if (name === 'view' || name === 'upload') go(addressOf.document(document.id, '', { version: version.id }));
  else if (name === 'compare') go(addressOf.document(document.id, 'compare', comparedWith(document, version)));
  else if (name === 'checkIn')
    done(() => ask(CheckInDocument, { id: workspace.id }), `${workspace.name} is checked in.`);
  else if (name === 'forceCheckIn')
    done(() => ask(CheckInDocument, { id: workspace.id, force: true }), `${workspace.name} is checked in.`);
  else if (name === 'archiveWorkspace')
    done(() => ask(ArchiveWorkspaceHereDocument, { id: workspace.id }), `${workspace.name} is archived.`);
  else if (name === 'unarchiveWorkspace')
    done(() => ask(UnarchiveWorkspaceHereDocument, { id: workspace.id }), `${workspace.name} is back.`);
  else open(deed);
}

/** A version is compared with the draft that goes on from it, a draft with the newest version of its workspace; both can be chosen anew there. */
function comparedWith(
  { workspaces }: Shown['document'],
  { id, type, workspace }: OpenDeed['version'],
): { from: string; to: string } {
  const place = workspaces.find((each) => each.id === workspace.id);
  return type === 'draft' ? { from: place?.newestVersionId ?? '', to: id } : { from: id, to: place?.draftId ?? '' };
}
