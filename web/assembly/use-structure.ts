// Loads the structure of a draft, edits it with undo and redo, and saves it if nobody has changed it meanwhile.
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, restRequest } from '../shell/api-client.ts';
import { asError } from '../ui/errors.ts';
import { readArtifactJson } from '../viewer/use-artifact-json.ts';
import { mergeStructures } from './merge.ts';
import { EMPTY_STRUCTURE, parseStructure, type Structure } from './structure.ts';

/** A structure as it was read: `sha256` of its file, `etag` of the files of the draft, and who wrote it. */
type Loaded = { structure: Structure; sha256: string | null; etag: string; by: string | null; at: string | null };
type Edit = { done: readonly Structure[]; current: Structure; undone: readonly Structure[] };

/** What somebody else has saved since the structure was read. */
export type Conflict = { base: Structure; mine: Structure; theirs: Structure; by: string | null; at: string | null };

/** Returns a changed structure. */
export type StructureEdit = (structure: Structure) => Structure;

export type StructureEditor = {
  /** Undefined until loaded. */
  structure: Structure | undefined;
  error: Error | null;
  hasChanges: boolean;
  canUndo: boolean;
  canRedo: boolean;
  conflict: Conflict | null;
  /** Applies a change to the current structure and returns the result; undefined before it is loaded. */
  change: (edit: StructureEdit) => Structure | undefined;
  undo: () => void;
  redo: () => void;
  /** Writes the asm.json if it has changed. If somebody else has changed it since it was read, sets `conflict` instead. */
  save: () => Promise<'saved' | 'unchanged' | 'conflict'>;
  /** Continues with what somebody else has saved, with the own changes applied or without them. */
  resolveConflict: (keep: 'mine' | 'theirs') => void;
};

export function useStructure(versionId: string): StructureEditor {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [edit, setEdit] = useState<Edit | null>(null);
  const [newer, setNewer] = useState<Loaded | null>(null);
  const [error, setError] = useState<Error | null>(null);
  // changes follow each other before the next render, e.g. when Enter commits a field and submits the form
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
      (reason: unknown) => !abort.signal.aborted && setError(asError(reason)),
    );
    return () => abort.abort();
  }, [versionId]);
  const conflict =
    newer && loaded && edit
      ? { base: loaded.structure, mine: edit.current, theirs: newer.structure, by: newer.by, at: newer.at }
      : null;
  return {
    structure: edit?.current,
    error,
    hasChanges: edit !== null && edit.current !== loaded?.structure,
    canUndo: edit !== null && edit.done.length > 0,
    canRedo: edit !== null && edit.undone.length > 0,
    conflict,
    change: (edit) => {
      const before = latest.current;
      const next = before && edit(before.current);
      if (before && next && next !== before.current)
        put({ done: [...before.done, before.current], current: next, undone: [] });
      return next ?? undefined;
    },
    undo: () => {
      const { done = [], current, undone = [] } = latest.current ?? {};
      const previous = done.at(-1);
      if (current && previous) put({ done: done.slice(0, -1), current: previous, undone: [current, ...undone] });
    },
    redo: () => {
      const { done = [], current, undone = [] } = latest.current ?? {};
      const [next, ...others] = undone;
      if (current && next) put({ done: [...done, current], current: next, undone: others });
    },
    save: async () => {
      const structure = latest.current?.current;
      if (!loaded || !structure || structure === loaded.structure) return 'unchanged';
      let { etag } = loaded;
      while (!(await writeStructure(versionId, structure, etag))) {
        const read = await readStructure(versionId);
        if (read.sha256 !== loaded.sha256) {
          setNewer(read);
          return 'conflict';
        }
        etag = read.etag; // only other files of the draft have changed
      }
      return 'saved';
    },
    resolveConflict: (keep) => {
      if (!conflict) return;
      const { base, mine, theirs } = conflict;
      setLoaded(newer);
      setNewer(null);
      if (keep === 'theirs') put({ done: [], current: theirs, undone: [] });
      else put({ done: [theirs], current: mergeStructures(base, mine, theirs), undone: [] });
    },
  };
}

type ArtifactItem = { id: string; kind: string; sha256: string; createdAt: string; createdBy: { name: string } };

async function readStructure(versionId: string, signal?: AbortSignal): Promise<Loaded> {
  const response = await restRequest(`/versions/${versionId}/artifacts`, { signal });
  const etag = response.headers.get('etag') ?? '';
  const { items }: { items: ArtifactItem[] } = await response.json();
  const file = items.find(({ kind }) => kind === 'asm-json');
  if (!file) return { structure: EMPTY_STRUCTURE, sha256: null, etag, by: null, at: null };
  const structure = parseStructure(await readArtifactJson(file.id, signal));
  return { structure, sha256: file.sha256, etag, by: file.createdBy.name, at: file.createdAt };
}

/** Returns false if the files of the draft are no longer those of the ETag. */
async function writeStructure(versionId: string, structure: Structure, etag: string): Promise<boolean> {
  try {
    await restRequest(`/versions/${versionId}/artifacts?kind=asm-json`, {
      method: 'POST',
      body: structure,
      headers: { 'x-file-name': 'asm.json', 'if-match': etag },
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'precondition_failed') return false;
    throw error;
  }
}
