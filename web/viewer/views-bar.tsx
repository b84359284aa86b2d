// The named views of a draft or version: save, open, rename, replace, delete.
import { useState } from 'preact/hooks';
import {
  CreateNamedViewDocument,
  DeleteNamedViewDocument,
  type NamedViewFragment,
  NamedViewsDocument,
  UpdateNamedViewDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useQuery } from '../shell/use-query.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { QueryView } from '../ui/status.tsx';
import { runWithToast, showSuccess, showUndoable } from '../ui/toasts.tsx';
import type { Scene } from './scene.ts';

type ViewsBarProps = { versionId: string; getScene: () => Scene; onOpen: (scene: Scene) => void };
type Naming = { view: NamedViewFragment | null };

export function ViewsBar({ versionId, getScene, onOpen }: ViewsBarProps) {
  const result = useQuery(
    NamedViewsDocument,
    { id: versionId },
    ({ type, data }) => type.startsWith('view.') && data.versionId === versionId,
  );
  const [naming, setNaming] = useState<Naming | null>(null);
  const [menu, setMenu] = useState<{ view: NamedViewFragment; position: MenuPosition } | null>(null);
  const permission = result.data?.version?.permissions.canEditViews;
  const update = ({ id, etag }: NamedViewFragment, changes: { name: string } | { scene: Scene }) =>
    execute(UpdateNamedViewDocument, { id, ...changes }, { ifMatch: `"${etag}"` });
  const create = (name: string, scene: Scene) => execute(CreateNamedViewDocument, { versionId, name, scene });
  const remove = ({ id, etag, name, scene }: NamedViewFragment) =>
    runWithToast(async () => {
      await execute(DeleteNamedViewDocument, { id }, { ifMatch: `"${etag}"` });
      result.reload();
      showUndoable(`Deleted view “${name}”.`, () => void runWithToast(() => create(name, scene).then(result.reload)));
    });
  return (
    <fieldset class="section-bar" aria-label="Named views">
      <QueryView query={result}>
        {({ version }) => (
          <>
            {version?.views.length === 0 && <span class="quiet">No views yet.</span>}
            {version?.views.map((view) => (
              <span key={view.id} class="joined">
                <button type="button" onClick={() => onOpen(view.scene)}>
                  {view.name}
                </button>
                <button
                  type="button"
                  aria-label={`Actions for view ${view.name}`}
                  onClick={({ currentTarget }) => {
                    const { left, bottom } = currentTarget.getBoundingClientRect();
                    setMenu({ view, position: { x: left, y: bottom + 4 } });
                  }}
                >
                  <Icon name="more" />
                </button>
              </span>
            ))}
          </>
        )}
      </QueryView>
      <ActionButton icon="plus" permission={permission} onClick={() => setNaming({ view: null })}>
        Save view…
      </ActionButton>
      {menu && (
        <Menu
          label={`Actions for view ${menu.view.name}`}
          position={menu.position}
          onClose={() => setMenu(null)}
          groups={[
            [
              { id: 'open', label: 'Open', icon: 'eye', run: () => onOpen(menu.view.scene) },
              { id: 'rename', label: 'Rename…', icon: 'edit', permission, run: () => setNaming({ view: menu.view }) },
              {
                id: 'replace',
                label: 'Replace with what is shown',
                permission,
                run: () =>
                  void runWithToast(async () => {
                    await update(menu.view, { scene: getScene() });
                    result.reload();
                  }, `Replaced view “${menu.view.name}”.`),
              },
              {
                id: 'delete',
                label: 'Delete',
                icon: 'trash',
                danger: true,
                permission,
                run: () => void remove(menu.view),
              },
            ],
          ]}
        />
      )}
      {naming && (
        <FormDialog
          title={naming.view ? `Rename view ${naming.view.name}` : 'Save view'}
          submitLabel={naming.view ? 'Rename' : 'Save'}
          onClose={() => setNaming(null)}
          onSubmit={async (form) => {
            const name = formValue(form, 'name') ?? '';
            if (naming.view) await update(naming.view, { name });
            else await create(name, getScene());
            result.reload();
            showSuccess(naming.view ? `Renamed view to “${name}”.` : `Saved view “${name}”.`);
          }}
        >
          {!naming.view && (
            <p>Stores the camera, hidden and transparent parts, section planes and the exploded view for everyone.</p>
          )}
          <label>
            Name
            <input name="name" required maxLength={200} value={naming.view?.name ?? ''} autofocus />
          </label>
        </FormDialog>
      )}
    </fieldset>
  );
}
