// The actions of the document header: the primary action for the draft or version, and the menu of the document.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ArchiveDocumentDocument,
  CopyDocumentDocument,
  CreateVersionDocument,
  DeleteDocumentDocument,
  UnarchiveDocumentDocument,
  UpdateDocumentDocument,
} from '../generated/operations.ts';
import { VersionFields } from '../history/version-dialogs.tsx';
import { apiUrl, execute } from '../shell/api-client.ts';
import { usePaletteCommands } from '../shell/command-palette.tsx';
import { navigate, urlFor } from '../shell/router.ts';
import { canWrite } from '../shell/session.ts';
import { ActionButton, type Permission, UNAVAILABLE } from '../ui/action-button.tsx';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { Menu, type MenuPosition } from '../ui/menu.tsx';
import { runWithToast, showError, showSuccess, showUndoable } from '../ui/toasts.tsx';
import { FilePicker } from '../upload/file-input.tsx';
import { canSplit } from '../upload/upload-kind.ts';
import type { DocumentViewProps } from './document-page.tsx';
import { uploadPermission, useAddFiles } from './draft-drop-zone.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { ReleaseDialog } from './release-dialog.tsx';
import { SplitDialog } from './split-dialog.tsx';
import { useBaseVersion } from './use-base-version.ts';

type OpenDialog = 'version' | 'release' | 'details' | 'copy' | 'split' | 'label' | 'delete';

export function DocumentActions(props: DocumentViewProps) {
  const { document, version, reload } = props;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [menu, setMenu] = useState<MenuPosition | null>(null);
  const addFiles = useAddFiles();
  const base = useBaseVersion(version);
  const box = useRef<HTMLDivElement>(null);
  const justReleased = useRef(false);
  const isReleased = version.releasedAs !== null;
  useEffect(() => {
    // the release button that had the focus is gone: focuses the next button
    if (!justReleased.current || !isReleased || dialog !== null) return;
    justReleased.current = false;
    if (globalThis.document.activeElement === globalThis.document.body) box.current?.querySelector('button')?.focus();
  }, [isReleased, dialog]);
  const onReleased = () => {
    justReleased.current = true;
    reload();
  };
  const can = document.permissions;
  const source =
    document.kind === 'model'
      ? version.artifacts.find(({ kind, fileName }) => kind === 'source' && canSplit(fileName))
      : undefined;
  const isDraft = version.type === 'draft';
  const workspace = document.workspaces.find(({ id }) => id === version.workspaceId);
  const createPermission = workspace?.permissions.canCreateVersion ?? { allowed: false };
  const openIfAllowed = (permission: Permission, name: OpenDialog) => () =>
    permission.allowed ? setDialog(name) : showError(permission.message ?? UNAVAILABLE);
  usePaletteCommands('document', [
    isDraft
      ? {
          id: `create-version-${version.id}`,
          label: `Create version of ${document.number}`,
          icon: 'plus',
          run: openIfAllowed(createPermission, 'version'),
        }
      : {
          id: `release-${version.id}`,
          label: `Release v${version.n} of ${document.number}`,
          icon: 'release',
          run: openIfAllowed(version.permissions.canRelease, 'release'),
        },
    {
      id: `copy-${document.id}`,
      label: `Copy ${document.number}`,
      icon: 'copy',
      run: openIfAllowed(can.canCopy, 'copy'),
    },
    {
      id: `details-${document.id}`,
      label: `Edit name and description of ${document.number}`,
      icon: 'edit',
      run: openIfAllowed(can.canEdit, 'details'),
    },
  ]);
  const setArchived = async (archived: boolean) => {
    const change = archived ? ArchiveDocumentDocument : UnarchiveDocumentDocument;
    const isDone = await runWithToast(() => execute<unknown, { id: string }>(change, { id: document.id }));
    reload();
    return isDone;
  };
  const toggleArchived = async () => {
    const archived = !document.archived;
    if (await setArchived(archived))
      showUndoable(`${archived ? 'Archived' : 'Unarchived'} ${document.number}.`, () => void setArchived(!archived));
  };

  usePaletteCommands('document-state', [
    {
      id: `archive-${document.id}`,
      label: `${document.archived ? 'Unarchive' : 'Archive'} ${document.number}`,
      icon: 'archive',
      run: () => void toggleArchived(),
    },
    ...version.artifacts
      .filter(({ kind }) => kind === 'source' || kind === 'stp')
      .map(({ id, fileName }) => ({
        id: `download-${id}`,
        label: `Download ${fileName}`,
        icon: 'download' as const,
        run: () => location.assign(apiUrl(`/artifacts/${id}/file`)),
      })),
  ]);
  return (
    <div ref={box} class="document-actions">
      {isDraft && <FilePicker label="Upload" multiple permission={uploadPermission(props)} onFiles={addFiles} />}
      {isDraft && (
        <ActionButton
          class={base?.isUnchanged ? '' : 'primary'}
          permission={createPermission}
          onClick={() => setDialog('version')}
        >
          Create version
        </ActionButton>
      )}
      {!isDraft && !version.releasedAs && (
        <ActionButton class="primary" permission={version.permissions.canRelease} onClick={() => setDialog('release')}>
          Release
        </ActionButton>
      )}
      <ActionButton
        class="bare"
        icon="more"
        onClick={() => {
          const { right = 0, bottom = 0 } = box.current?.getBoundingClientRect() ?? {};
          setMenu({ x: right, y: bottom });
        }}
      >
        <span class="visually-hidden">More actions</span>
      </ActionButton>
      {menu && (
        <Menu
          label={`Actions for ${document.number}`}
          position={menu}
          onClose={() => setMenu(null)}
          groups={[
            [
              {
                id: 'details',
                label: 'Edit name and description…',
                icon: 'edit',
                permission: can.canEdit,
                run: () => setDialog('details'),
              },
              {
                id: 'copy',
                label: 'Copy…',
                icon: 'copy',
                permission: can.canCopy,
                run: () => setDialog('copy'),
              },
              { id: 'label', label: 'Label with QR code…', run: () => setDialog('label') },
              ...(source
                ? [
                    {
                      id: 'split',
                      label: 'Import as an assembly…',
                      icon: 'assembly' as const,
                      permission: canWrite()
                        ? undefined
                        : { allowed: false, message: 'Viewers cannot create documents.' },
                      run: () => setDialog('split'),
                    },
                  ]
                : []),
            ],
            [
              {
                id: 'archive',
                label: document.archived ? 'Unarchive' : 'Archive',
                icon: 'archive',
                permission: document.archived ? can.canUnarchive : can.canArchive,
                run: () => void toggleArchived(),
              },
              {
                id: 'delete',
                label: 'Delete…',
                icon: 'trash',
                permission: can.canDelete,
                danger: true,
                run: () => setDialog('delete'),
              },
            ],
          ]}
        />
      )}
      {dialog === 'release' && (
        <ReleaseDialog versionId={version.id} onReleased={onReleased} onClose={() => setDialog(null)} />
      )}
      {dialog === 'label' && <LabelDialog document={document} onClose={() => setDialog(null)} />}
      {dialog === 'split' && source && (
        <SplitDialog document={document} source={source} onClose={() => setDialog(null)} />
      )}
      {dialog && dialog !== 'release' && dialog !== 'split' && dialog !== 'label' && (
        <DocumentDialog dialog={dialog} {...props} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

type DialogProps = DocumentViewProps & {
  dialog: Exclude<OpenDialog, 'release' | 'split' | 'label'>;
  onClose: () => void;
};

function DocumentDialog({ dialog, document, version, reload, onClose }: DialogProps) {
  const { id, number } = document;
  const base = useBaseVersion(version);
  if (dialog === 'version') {
    const submit = async (form: FormData) => {
      const { createVersion } = await execute(CreateVersionDocument, {
        workspaceId: version.workspaceId,
        name: formValue(form, 'name'),
        comment: formValue(form, 'comment'),
      });
      reload();
      const url = urlFor.document(id, '', { version: createVersion.id });
      showSuccess(`Created v${createVersion.n}.`, { label: 'Show', run: () => navigate(url) });
    };
    return (
      <FormDialog
        title={`Create version of ${number}`}
        help="guide#versions"
        submitLabel="Create version"
        onClose={onClose}
        onSubmit={submit}
      >
        <p>
          Saves the draft of {version.workspace.name} as an immutable version. You can keep editing the draft
          afterwards.
        </p>
        {base?.isUnchanged && <p class="quiet">Nothing has changed since v{base.n}.</p>}
        <VersionFields />
      </FormDialog>
    );
  }
  if (dialog === 'details') {
    const submit = async (form: FormData) => {
      const changes = { name: formValue(form, 'name'), description: formValue(form, 'description') ?? null };
      await execute(UpdateDocumentDocument, { id, ...changes }, { ifMatch: `"${document.etag}"` });
      reload();
    };
    return (
      <FormDialog title={`Name and description of ${number}`} submitLabel="Save" onClose={onClose} onSubmit={submit}>
        <label>
          Name
          <input name="name" required maxLength={200} defaultValue={document.name} autofocus />
        </label>
        <label>
          Description
          <textarea name="description" rows={4} maxLength={4000} defaultValue={document.description ?? ''} />
        </label>
      </FormDialog>
    );
  }
  if (dialog === 'copy') {
    const submit = async (form: FormData) => {
      const { copyDocument } = await execute(CopyDocumentDocument, {
        id,
        versionId: version.id,
        name: formValue(form, 'name'),
        number: formValue(form, 'number'),
      });
      navigate(urlFor.document(copyDocument.id));
      showSuccess(`Copied ${number} to ${copyDocument.number}.`);
    };
    return (
      <FormDialog title={`Copy ${number}`} submitLabel="Copy" onClose={onClose} onSubmit={submit}>
        <p>
          Creates a document with the files of{' '}
          {version.type === 'draft' ? `the draft of ${version.workspace.name}` : `v${version.n}`}. Its history starts
          empty.
        </p>
        <label>
          Name
          <input name="name" maxLength={200} defaultValue={document.name} autofocus />
        </label>
        <label>
          Number
          <input name="number" maxLength={40} placeholder="Next free number" />
        </label>
      </FormDialog>
    );
  }
  const submit = async () => {
    await execute(DeleteDocumentDocument, { id });
    navigate(urlFor.documents(document.folder?.id), { replace: true });
    showSuccess(`Deleted ${number}.`);
  };
  return (
    <FormDialog title={`Delete ${number}?`} submitLabel="Delete" danger onClose={onClose} onSubmit={submit}>
      <p>
        Deletes “{document.name}” with its drafts, versions and files. This cannot be undone, and the number is not
        reused. To hide the document instead, archive it.
      </p>
    </FormDialog>
  );
}
