// Checkpoints of the audit log as C2SP defines them (c2sp.org/tlog-checkpoint): a signed note that says how many records the log has and
// the root of their tree. One kept elsewhere shows later that nothing of what it covers was changed or cut off.
import { openNote, type Verifier } from './signed-note.ts';

/** What a checkpoint says: which log, how many records, the root of their tree. */
export type Checkpoint = { origin: string; size: number; root: Buffer };

/** The name of a log in its checkpoints, and of the key that signs them. */
export function originOf(logId: string): string {
  return `pdm/audit/${logId}`;
}

/** The text to sign. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** What a note says, whoever signed it; null when it is no checkpoint. */
export function readCheckpoint(note: string): Checkpoint | null {
  const { origin = '', size, root = '' } = TEXT.exec(note)?.groups ?? {};
  return size === undefined ? null : { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** What a note signed by one of the verifiers says; null when it is not signed by them or is no checkpoint. */
export function openCheckpoint(note: string, verifiers: readonly Verifier[]): Checkpoint | null {
  const text = openNote(note, verifiers);
  return text === null ? null : readCheckpoint(note);
}

/** The notes in a file that checkpoints are appended to. What is left of one that was cut short is counted in `torn`. */
export function notesIn(file: string): { notes: string[]; torn: number } {
  const paragraphs = file
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\n$/, ''))
    .filter((paragraph) => paragraph !== '');
  const signed = paragraphs.flatMap((signatures, i) =>
    SIGNATURES.test(signatures) ? [[paragraphs[i - 1] ?? '', signatures]] : [],
  );
  const notes = signed.map(([text, signatures]) => `${text}\n\n${signatures}\n`).filter((note) => readCheckpoint(note));
  return { notes, torn: paragraphs.length - 2 * notes.length };
}

const SIGNATURES = /^\u2014 \S+ [0-9A-Za-z+/]{91}=$/;
const TEXT = /^(?<origin>[^\n]+)\n(?<size>0|[1-9]\d{0,15})\n(?<root>[0-9A-Za-z+/]{43}=)\n(?:[^\n]+\n)*\n/;
