import { useState } from 'preact/hooks';
import { type CodeOfVersionQuery, CodeSetDocument, CodeSyncDocument } from '../generated/operations.ts';
import { ask, Refusal } from '../shell/ask.ts';
import { Deed } from '../ui/deed.tsx';
import { FormDialog, textOf } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { Nothing, Progress } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { CommitLink } from './commit-link.tsx';
import { type Fault, faultsOf } from './params-values.ts';

type Version = NonNullable<CodeOfVersionQuery['version']>;

/** Where the code of a draft or version lives, and which commit of it is stored; fetching it shows what the manifest lacks. */
export function CodeLocation({ version, onChanged }: { version: Version; onChanged: () => void }) {
  const [editing, setEditing] = useState(false);
  const [fetching, setFetching] = useState(false);
  const [problem, setProblem] = useState<{ message: string; faults: readonly Fault[] } | null>(null);
  const { code } = version;
  const may =
    version.type === 'version'
      ? { allowed: false, message: 'A version is frozen; change the draft.' }
      : version.workspace.permissions.canUpload;
  const sync = async () => {
    setFetching(true);
    setProblem(null);
    try {
      const { syncCode } = await ask(CodeSyncDocument, { versionId: version.id });
      noteDone(`Commit ${syncCode.code?.commit?.slice(0, 10)} is stored.`);
    } catch (error) {
      const faults = error instanceof Refusal ? faultsOf(error.data.errors) : [];
      setProblem({ message: error instanceof Error ? error.message : String(error), faults });
    } finally {
      setFetching(false);
      onChanged();
    }
  };
  return (
    <section class="card" aria-label="Where the code lives">
      <div class="row">
        <h2>Code</h2>
        <span class="end row">
          {code && (
            <Deed
              may={fetching ? { allowed: false, message: 'It is being fetched.' } : may}
              icon="download"
              onClick={() => void sync()}
            >
              Synchronise
            </Deed>
          )}
          <Deed may={may} onClick={() => setEditing(true)}>
            {code ? 'Change…' : 'Name it…'}
          </Deed>
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
        <Nothing>No code is named yet: a folder of a git repository with a generator.json in it.</Nothing>
      )}
      {fetching && <Progress label="Fetching the repository" />}
      {problem && (
        <div class="problem" role="alert">
          <span>
            {problem.message}
            {problem.faults.length > 1 && (
              <ul>
                {problem.faults.map(({ pointer, message }) => (
                  <li key={pointer}>
                    <code>{pointer || '/'}</code> {message}
                  </li>
                ))}
              </ul>
            )}
          </span>
        </div>
      )}
      {editing && <LocationDialog version={version} onClose={() => setEditing(false)} onChanged={onChanged} />}
    </section>
  );
}

function LocationDialog({
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
      title="Where the code lives"
      deed="Save"
      onClose={onClose}
      onSubmit={async (form) => {
        const location = {
          repoUrl: textOf(form, 'repoUrl') ?? '',
          ref: textOf(form, 'ref') ?? '',
          path: textOf(form, 'path') ?? '',
        };
        await ask(CodeSetDocument, { versionId: version.id, ...location }, { ifMatch: `"${version.etag}"` });
        onChanged();
      }}
    >
      <p>It counts after it has been synchronised: the files of one commit are stored with the draft.</p>
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
