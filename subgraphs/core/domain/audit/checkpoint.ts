// Checkpoints of the audit log (c2sp.org/tlog-checkpoint): signed notes with the size and root hash of the log. A copy
// kept elsewhere proves later that the records it covers were not changed or removed.

import { openNote, type Verifier } from './signed-note.ts';

/** The log, the number of records and the root hash of their tree. */
export type Checkpoint = { origin: string; size: number; root: Buffer };

/** Returns the name of a log in its checkpoints, which is also the name of the key that signs them. */
export function logOrigin(logId: string): string {
  return `pdm/audit/${logId}`;
}

/** Returns the text to sign. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** Parses a checkpoint without checking its signature. Returns null if the note is not a checkpoint. */
export function parseCheckpoint(note: string): Checkpoint | null {
  const { origin = '', size, root = '' } = TEXT.exec(note)?.groups ?? {};
  return size === undefined ? null : { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** Parses a checkpoint signed by one of the verifiers. Returns null if it is not signed by them or not a checkpoint. */
export function openCheckpoint(note: string, verifiers: readonly Verifier[]): Checkpoint | null {
  const text = openNote(note, verifiers);
  return text === null ? null : parseCheckpoint(note);
}

/** Returns the checkpoints in a file to which they are appended. `torn` counts the paragraphs of incomplete ones. */
export function parseNotes(file: string): { notes: string[]; torn: number } {
  const paragraphs = file
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n$/, ''))
    .filter((paragraph) => paragraph !== '');
  const signed = paragraphs.flatMap((signatures, i) =>
    SIGNATURES.test(signatures) ? [[paragraphs[i - 1] ?? '', signatures]] : [],
  );
  const notes = signed
    .map(([text, signatures]) => `${text}\n\n${signatures}\n`)
    .filter((note) => parseCheckpoint(note));
  return { notes, torn: paragraphs.length - 2 * notes.length };
}

const SIGNATURES = /^\u2014 \S+ [0-9A-Za-z+/]{91}=$/;
const TEXT = /^(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[0-9A-Za-z+/]{43}=)\n(?:[^\n]+\n)*\n/;
