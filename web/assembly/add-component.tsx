// Adds documents to an assembly by search; those that cannot be added say why.
import { useState } from 'preact/hooks';
import { dragDocuments } from '../find/dragging.ts';
import {
  type CandidateFragment,
  FindComponentDocument,
  SearchComponentsDocument,
  WhereUsedDocument,
} from '../generated/operations.ts';
import { execute } from '../shell/api-client.ts';
import { useSearch } from '../shell/use-document-search.ts';
import { useQuery } from '../shell/use-query.ts';
import { Combobox } from '../ui/combobox.tsx';
import { Thumbnail } from '../ui/thumbnail.tsx';

export type Candidate = CandidateFragment;

/** Returns a function that says why a document cannot be added to an assembly; null if it can. */
export function useReasonAgainst(assemblyId: string): (document: Candidate) => string | null {
  // documents that contain this assembly, which would contain itself
  const above = useQuery(WhereUsedDocument, { id: assemblyId, levels: 'all', drafts: true });
  const containing = new Set(above.data?.whereUsed.items.map(({ document }) => document.id));
  return ({ id, number, kind, archived, versionPage }) => {
    if (id === assemblyId) return 'An assembly cannot contain itself.';
    if (kind === 'code') return `${number} is a generator and has no shape.`;
    if (containing.has(id)) return `${number} contains this assembly.`;
    if (archived) return `${number} is archived.`;
    return versionPage.items.length === 0 ? `${number} has no version yet.` : null;
  };
}

/** Reads a document that was dropped. */
export async function readCandidate(id: string): Promise<Candidate | null> {
  return (await execute(FindComponentDocument, { id })).document ?? null;
}

type AddProps = { reasonAgainst: (document: Candidate) => string | null; onAdd: (document: Candidate) => void };

/** The search field. A result can be picked, or dragged into the assembly. */
export function AddComponent({ reasonAgainst, onAdd }: AddProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const found = useSearch(SearchComponentsDocument, text);
  const choices = found.documents.map((each) => {
    const reason = reasonAgainst(each);
    return { ...each, label: each.name, reason, hint: reason ? undefined : each.number };
  });
  const pick = (chosen: Candidate) => {
    const reason = reasonAgainst(chosen);
    setProblem(reason);
    if (reason) return;
    setText('');
    onAdd(chosen);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in the search does not save the dialog
    <div class="grow" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
      <Combobox
        label="Add a part or assembly"
        text={text}
        choices={choices}
        onText={(next) => {
          setProblem(null);
          setText(next);
        }}
        onPick={pick}
        autoHighlight
        autofocus
        placeholder="Number or name"
        emptyMessage={text.trim() !== '' && found.query === text.trim() ? 'No matching document.' : undefined}
      >
        {(choice) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: dragging is another way to pick the option
          <span
            class={`candidate${choice.reason ? ' quiet' : ''}`}
            draggable={!choice.reason}
            onPointerDown={(event) => !choice.reason && event.stopPropagation()} // the list keeps presses from dragging
            onDragStart={(event) => dragDocuments(event, [choice.id], choice.number)}
            onDragEnd={() => setText('')}
          >
            <Thumbnail url={choice.thumbnailUrl} kind={choice.kind} />
            <span>
              {choice.label}
              {choice.reason && <small class="reason">{choice.reason}</small>}
            </span>
          </span>
        )}
      </Combobox>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
