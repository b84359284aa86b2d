import { useState } from 'preact/hooks';
import { DocumentToUseDocument, ReplaceUsesDocument, type ReplaceUsesMutation } from '../generated/operations.ts';
import { ask } from '../shell/ask.ts';
import { useFoundDocuments } from '../shell/find-documents.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { noteDone } from '../ui/notes.tsx';
import { Picture } from '../ui/picture.tsx';
import { stateWords } from './bom-words.ts';

type Document = { id: string; number: string; name: string; kind: string };
type Item = ReplaceUsesMutation['replaceInDrafts']['items'][number];
type Plan = { /** The number it was asked for. */ of: string; other: Document; items: Item[] };

/** Lets every draft use another document instead: first what would be done, draft by draft, then the deed. */
export function ReplaceDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const [number, setNumber] = useState('');
  const [seen, setPlan] = useState<Plan | null>(null);
  const plan = seen?.of === number.trim() ? seen : null;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const working = async (deed: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    await deed().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    setBusy(false);
  };
  const found = useFoundDocuments(number);
  const others = found.documents.filter(({ id, kind }) => id !== document.id && kind !== 'code');
  const choices = others.map((other) => ({ ...other, label: other.name, hint: other.number }));
  const look = (typed: string) =>
    working(async () => {
      setPlan(null);
      const of = typed.trim();
      const { document: other } = await ask(DocumentToUseDocument, { id: of });
      if (!other)
        throw new Error(`There is no document with the number ${of}. Choose one of those that are found as you type.`);
      setPlan({ of, other, items: await replaceAll(document.id, other.id, true) });
    });
  const replace = ({ of, other: with_ }: Plan) =>
    working(async () => {
      const items = await replaceAll(document.id, with_.id, false);
      const skipped = items.filter(({ outcome }) => outcome === 'skipped');
      noteDone(`${usedBy(items.length - skipped.length)} ${with_.number} instead of ${document.number} now.`);
      if (skipped.length === 0) onClose();
      else setPlan({ of, other: with_, items: skipped });
    });
  const ready = plan?.items.filter(({ outcome }) => outcome === 'replaced').length ?? 0;

  return (
    <Dialog title={`Replace ${document.number} in all drafts`} onClose={onClose} wide>
      <p class="quiet">
        Drafts alone change; versions stay as they were made. Addresses that follow {document.number} follow the other
        document then; pinned ones are pinned to what is newest of it.
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void look(number);
        }}
      >
        <Combobox
          label="Document to use instead"
          placeholder="Number, or words of its name"
          text={number}
          choices={choices}
          onText={setNumber}
          onPick={(other) => {
            setNumber(other.number);
            void look(other.number);
          }}
          none={number.trim() !== '' && found.of === number.trim() ? 'No other document is found so.' : undefined}
          required
          autofocus
        >
          {({ kind, label, thumbnailUrl }) => (
            <>
              <Picture url={thumbnailUrl} kind={kind} />
              <span>{label}</span>
            </>
          )}
        </Combobox>
        <button type="submit" disabled={busy}>
          See what would change
        </button>
      </form>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {plan && <PlanTable plan={plan} />}
      <div class="deeds">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={busy || ready === 0} onClick={() => plan && void replace(plan)}>
          {ready === 0 ? 'Replace' : `Replace in ${ready} ${ready === 1 ? 'draft' : 'drafts'}`}
        </button>
      </div>
    </Dialog>
  );
}

const usedBy = (drafts: number) => (drafts === 1 ? '1 draft uses' : `${drafts} drafts use`);

function PlanTable({ plan: { other, items } }: { plan: Plan }) {
  if (items.length === 0) return <p role="status">No draft uses it.</p>;
  return (
    <>
      <p role="status">
        By <b>{other.number}</b> {other.name}:
      </p>
      <div class="table-box impact">
        <table>
          <thead>
            <tr>
              <th>Draft</th>
              <th>What happens</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ document, version, outcome, changed, message }) => (
              <tr key={version.id}>
                <td>
                  <span class="mono">{document.number}</span> {document.name} <small>{stateWords(version)}</small>
                </td>
                <td>
                  {outcome === 'replaced' ? (
                    <span class="mark good">
                      {changed.length} {changed.length === 1 ? 'reference' : 'references'}
                    </span>
                  ) : (
                    <span class="said">stays: {message}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

async function replaceAll(id: string, other: string, dryRun: boolean): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { replaceInDrafts: page }: ReplaceUsesMutation = await ask(ReplaceUsesDocument, {
      id,
      with: other,
      dryRun,
      cursor,
    });
    items.push(...page.items);
    cursor = page.nextCursor ?? null;
  }
  return items;
}
