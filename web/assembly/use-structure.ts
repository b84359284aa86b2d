// Loads the structure of a draft, edits it with undo and redo, and saves it if nobody has changed it meanwhile.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, restRequest } from '../shell/api-client.ts';
import { EMPTY_STRUCTURE, parseStructure, type Structure } from './structure.ts';

/** A structure as it was read; `etag` is that of the files of the draft. */
type Loaded = { structure: Structure; etag: string };
type Edit = { done: readonly Structure[]; current: Structure; undone: readonly Structure[] };

export type StructureEditor = {
  /** Undefined until loaded. */
  structure: Structure | undefined;
  error: Error | null;
  canUndo: boolean;
  canRedo: boolean;
  change: (next: Structure) => void;
  undo: () => void;
  redo: () => void;
  /** Writes the asm.json if it has changed. Throws if somebody else has changed the draft since it was read. */
  save: () => Promise<boolean>;
};

export function useStructure(versionId: string): StructureEditor {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [error, setError] = useState<Error | null>(null);
  // a field that Enter commits changes the structure and submits the form before the next render
  const latest = useRef<Edit | null>(null);
  const put = (next: Edit) => {
    latest.current = next;
    setEdit(next);
  };
  useEffect(() => {
    const abort = new AbortController();
    readStructure(versionId, abort.signal).then(
      (read) => {
        setLoaded(read);
        put({ done: [], current: read.structure, undone: [] });
      },
      (reason: unknown) =>
        !abort.signal.aborted && setError(reason instanceof Error ? reason : new Error(String(reason))),
    );
    return () => abort.abort();
  }, [versionId]);
  return {
    structure: edit?.current,
    error,
    canUndo: edit !== null && edit.done.length > 0,
    canRedo: edit !== null && edit.undone.length > 0,
    change: (next) => edit && put({ done: [...edit.done, edit.current], current: next, undone: [] }),
    undo: () => {
      const previous = edit?.done.at(-1);
      if (edit && previous)
        put({ done: edit.done.slice(0, -1), current: previous, undone: [edit.current, ...edit.undone] });
    },
    redo: () => {
      const [next, ...undone] = edit?.undone ?? [];
      if (edit && next) put({ done: [...edit.done, edit.current], current: next, undone });
    },
    save: async () => {
      const structure = latest.current?.current;
      if (!loaded || !structure || structure === loaded.structure) return false;
      await writeStructure(versionId, structure, loaded.etag);
      return true;
    },
  };
}

async function readStructure(versionId: string, signal: AbortSignal): Promise<Loaded> {
  const response = await restRequest(`/versions/${versionId}/artifacts`, { signal });
  const etag = response.headers.get('etag') ?? '';
  const { items }: { items: { id: string; kind: string }[] } = await response.json();
  const file = items.find(({ kind }) => kind === 'asm-json');
  if (!file) return { structure: EMPTY_STRUCTURE, etag };
  const content = await restRequest(`/artifacts/${file.id}/file`, { signal });
  return { structure: parseStructure(await content.json()), etag };
}

async function writeStructure(versionId: string, structure: Structure, etag: string): Promise<void> {
  try {
    await restRequest(`/versions/${versionId}/artifacts?kind=asm-json`, {
      method: 'POST',
      body: structure,
      headers: { 'x-file-name': 'asm.json', 'if-match': etag },
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
    throw new Error(
      'Somebody else has changed the files of this draft since you opened it. Nothing was saved. Note your changes, close this dialog and open it again to see theirs.',
    );
  }
}
