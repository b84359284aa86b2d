// The Git repository of a code document.

import { useState } from 'preact/hooks';
import { type CodeOfVersionQuery, SetCodeDocument, SyncCodeDocument } from '../generated/operations.ts';
import { ApiError, execute } from '../shell/api-client.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { FormDialog, formValue } from '../ui/dialog.tsx';
import { messageOf } from '../ui/errors.ts';
import { HelpLink } from '../ui/help-link.tsx';
import { EmptyState, ProgressBar } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { showSuccess } from '../ui/toasts.tsx';
import { CommitLink } from './commit-link.tsx';
import { type FieldError, parseFieldErrors } from './params-input.ts';

type Version = NonNullable<CodeOfVersionQuery['version']>;

/** The repository of a draft or version and the stored commit. Synchronizing reports errors of the manifest. */
export function RepositoryCard({ version, onChanged }: { version: Version; onChanged: () => void }) {
  const [editing, setEditing] = useState(false);
  const [fetching, setFetching] = useState(false);
  const [problem, setProblem] = useState<{ message: string; errors: readonly FieldError[] } | null>(null);
  const { code } = version;
  const permission =
    version.type === 'version'
      ? { allowed: false, message: 'Versions cannot be changed. Edit the draft instead.' }
      : version.workspace.permissions.canUpload;
  const sync = async () => {
    setFetching(true);
    setProblem(null);
    try {
      const { syncCode } = await execute(SyncCodeDocument, { versionId: version.id });
      showSuccess(`Commit ${syncCode.code?.commit?.slice(0, 10)} stored.`);
    } catch (error) {
      const errors = error instanceof ApiError ? parseFieldErrors(error.data.errors) : [];
      setProblem({ message: messageOf(error), errors });
    } finally {
      setFetching(false);
      onChanged();
    }
  };
  return (
    <section class="card" aria-label="Repository">
      <div class="row">
        <h2>Code</h2>
        <span class="end row">
          {code && (
            <ActionButton
              permission={fetching ? { allowed: false, message: 'The repository is being fetched.' } : permission}
              icon="download"
              onClick={() => void sync()}
            >
              Synchronize
            </ActionButton>
          )}
          <ActionButton permission={permission} onClick={() => setEditing(true)}>
            {code ? 'Edit…' : 'Connect repository…'}
          </ActionButton>
        </span>
      </div>
      {code ? (
        <dl class="facts">
          <dt>Repository</dt>
          <dd class="mono">{code.repoUrl}</dd>
          <dt>Branch, tag or commit</dt>
          <dd class="mono">{code.ref}</dd>
          <dt>Folder</dt>
          <dd class="mono">{code.path || '/'}</dd>
          <dt>Commit</dt>
          <dd>
            {code.commit ? (
              <>
                <CommitLink repoUrl={code.repoUrl} commit={code.commit} />{' '}
                {code.syncedAt && <Time at={code.syncedAt} />}
              </>
            ) : (
              <span class="mark warn">not fetched yet</span>
            )}
          </dd>
        </dl>
      ) : (
        <EmptyState>
          <p>No repository connected.</p>
          <p>
            Connect a folder of a Git repository that contains a generator.json. The source code of this service
            includes three examples to start from: <code>examples/generators/bracket</code>, <code>gear</code> and{' '}
            <code>rack</code>.
          </p>
          <HelpLink topic="generators">How to write a generator</HelpLink>
        </EmptyState>
      )}
      {fetching && <ProgressBar label="Fetching the repository" />}
      {problem && (
        <div class="problem" role="alert">
          <span>
            {problem.message}
            {problem.errors.length > 1 && (
              <ul>
                {problem.errors.map(({ pointer, message }) => (
                  <li key={pointer}>
                    <code>{pointer || '/'}</code> {message}
                  </li>
                ))}
              </ul>
            )}
          </span>
        </div>
      )}
      {editing && <RepositoryDialog version={version} onClose={() => setEditing(false)} onChanged={onChanged} />}
    </section>
  );
}

function RepositoryDialog({
  version,
  onClose,
  onChanged,
}: {
  version: Version;
  onClose: () => void;
  onChanged: () => void;
}) {
  return (
    <FormDialog
      title="Repository"
      help="generators#the-manifest"
      submitLabel="Save"
      onClose={onClose}
      onSubmit={async (form) => {
        const location = {
          repoUrl: formValue(form, 'repoUrl') ?? '',
          ref: formValue(form, 'ref') ?? '',
          path: formValue(form, 'path') ?? '',
        };
        await execute(SetCodeDocument, { versionId: version.id, ...location }, { ifMatch: `"${version.etag}"` });
        onChanged();
      }}
    >
      <p>After saving, click Synchronize to store the files of the commit that the ref names in the draft.</p>
      <label>
        Repository
        <input
          name="repoUrl"
          required
          class="mono"
          placeholder="https://example.com/team/parts.git"
          defaultValue={version.code?.repoUrl}
          autofocus
        />
      </label>
      <label>
        Branch, tag or commit
        <input name="ref" required class="mono" defaultValue={version.code?.ref ?? 'main'} />
      </label>
      <label>
        Folder
        <input name="path" class="mono" placeholder="generators/rack" defaultValue={version.code?.path} />
      </label>
    </FormDialog>
  );
}
