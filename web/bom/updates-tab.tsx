// What is newer of that which an assembly uses, and taking it into the draft: one, some or all.
import { useState } from 'preact/hooks';
import { TakeUpdatesDocument, UpdatesOfVersionDocument, type UpdatesOfVersionQuery } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Deed, type Permitted } from '../ui/deed.tsx';
import { attempt, noteDone } from '../ui/notes.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import { meantWords, pointingOf } from './bom-words.ts';
import { DocumentCell, MeantCell } from './cells.tsx';
import { movable, type Target, ticked, withUpdates } from './updates.ts';

type Update = UpdatesOfVersionQuery['referenceUpdates'][number];

export function UpdatesTab({ documentId, versionId }: { documentId: string; versionId: string }) {
  const asked = useAsk(
    UpdatesOfVersionDocument,
    { id: versionId },
    (event) => ofDocument(documentId)(event) || /^(version|revision)\./.test(event.type),
  );
  return (
    <div class="bom updates">
      <Answer of={asked}>
        {({ version, referenceUpdates }) => {
          if (!version) return <Nothing>There is no such draft or version.</Nothing>;
          const draft = version.type === 'draft';
          const may: Permitted = draft
            ? version.workspace.permissions.canUpload
            : { allowed: false, message: 'A version never changes: take the updates into a draft.' };
          return (
            <Updates
              key={versionId}
              versionId={versionId}
              updates={referenceUpdates}
              may={may}
              onTaken={asked.reload}
            />
          );
        }}
      </Answer>
    </div>
  );
}

type UpdatesProps = { versionId: string; updates: readonly Update[]; may: Permitted; onTaken: () => void };

function Updates({ versionId, updates, may, onTaken }: UpdatesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const [everything, setEverything] = useState(false);
  const newer = withUpdates(updates);
  const rows = everything ? updates : newer;
  const allTicked = newer.length > 0 && newer.every(({ path }) => chosen.has(path));

  const take = (target: Target) =>
    attempt(async () => {
      const paths = movable(updates, chosen, target);
      const { takeReferenceUpdates: taken } = await ask(TakeUpdatesDocument, {
        id: versionId,
        paths: [...chosen],
        to: target,
      });
      noteDone(`${taken.changed.length} of ${chosen.size} references moved.`);
      setRefusals(new Map(taken.unchanged.map(({ path, message }) => [path, message])));
      setChosen(new Set(taken.unchanged.filter(({ path }) => paths.includes(path)).map(({ path }) => path)));
      onTaken();
    });
  const mayTake = (target: Target): Permitted => {
    if (!may.allowed) return may;
    if (chosen.size === 0) return { allowed: false, message: 'Tick what is to be moved.' };
    if (movable(updates, chosen, target).length > 0) return may;
    return { allowed: false, message: `Of what is ticked there is no newer ${target}.` };
  };

  if (updates.length === 0) return <Nothing>It uses nothing.</Nothing>;
  return (
    <>
      <div class="bom-tools">
        <Deed class="primary" may={mayTake('release')} onClick={() => void take('release')}>
          Take newest release ({movable(updates, chosen, 'release').length})
        </Deed>
        <Deed may={mayTake('version')} onClick={() => void take('version')}>
          Take newest version ({movable(updates, chosen, 'version').length})
        </Deed>
        <span role="status" class="quiet">
          {newer.length === 0
            ? 'Everything is up to date.'
            : `${newer.length} of ${updates.length} references have something newer.`}
        </span>
        <label class="inline end">
          <input
            type="checkbox"
            checked={everything}
            onChange={(event) => setEverything(event.currentTarget.checked)}
          />{' '}
          All references
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
                    aria-label="All that have something newer"
                    checked={allTicked}
                    onChange={(event) =>
                      setChosen(new Set(event.currentTarget.checked ? newer.map(({ path }) => path) : []))
                    }
                  />
                </th>
                <th>Document</th>
                <th>Uses now</th>
                <th>Newest release</th>
                <th>Newest version</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((update) => (
                <Line
                  key={update.path}
                  update={update}
                  on={chosen.has(update.path)}
                  refusal={refusals.get(update.path)}
                  onTick={(on) => setChosen(ticked(chosen, update.path, on))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

type LineProps = { update: Update; on: boolean; refusal: string | undefined; onTick: (on: boolean) => void };

function Line({ update, on, refusal, onTick }: LineProps) {
  const { document, current, newestRelease, newestVersion, location, reason, status } = update;
  const can = Boolean(update.toRelease || update.toVersion);
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Move ${update.number ?? location}`}
          checked={on}
          disabled={!can}
          onChange={(event) => onTick(event.currentTarget.checked)}
        />
      </td>
      <td>
        <div class="row">
          <DocumentCell document={document ?? null} address={location} thumbnailUrl={document?.thumbnailUrl} linked />
        </div>
        {refusal && <div class="said">{refusal}</div>}
        {status === 'unresolved' && <div class="said">{reason}</div>}
      </td>
      <td>
        <div class="row">
          <MeantCell meant={current ?? null} pointing={pointingOf(location)} />
          {current?.obsolete && <span class="mark bad">obsolete</span>}
        </div>
      </td>
      <td>
        <Newer meant={newestRelease} moves={Boolean(update.toRelease)} />
      </td>
      <td>
        <Newer meant={newestVersion} moves={Boolean(update.toVersion)} />
      </td>
    </tr>
  );
}

function Newer({ meant, moves }: { meant: Update['newestRelease']; moves: boolean }) {
  if (!meant) return <span class="quiet">none</span>;
  return moves ? <b>{meantWords(meant)}</b> : <span class="quiet">{meantWords(meant)}</span>;
}
