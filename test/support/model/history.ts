// Random histories: sequential and concurrent commands, each compared with the model.
import { isDeepStrictEqual } from 'node:util';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Answer, Client } from '../client.ts';
import * as documentCommands from './document-commands.ts';
import {
  expectedDocument,
  expectedSurroundings,
  expectedWhole,
  type Read,
  readDocument,
  readSurroundings,
  readWhole,
} from './document-state.ts';
import * as draftCommands from './draft-commands.ts';
import * as fileCommands from './file-commands.ts';
import type { ModelCommand } from './model-command.ts';
import { type Choose, pickBy } from './random-input.ts';
import type { Model, Who } from './state.ts';
import * as versionCommands from './version-commands.ts';
import * as workspaceCommands from './workspace-commands.ts';

type CreateCommand = (m: Model, pick: Choose, who: Who) => ModelCommand;
const COMMANDS: Readonly<Record<string, CreateCommand>> = {
  ...documentCommands,
  ...workspaceCommands,
  ...versionCommands,
  ...draftCommands,
  ...fileCommands,
};
/** The relative frequency of commands; 1 by default. */
const OFTEN: Readonly<Record<string, number>> = {
  uploadAssembly: 14,
  uploadFile: 8,
  deleteFile: 2,
  takeUpdates: 4,
  createVersion: 16,
  releaseVersion: 10,
  makeObsolete: 2,
  takeBackRevision: 5,
  takeOver: 8,
  restore: 2,
  undo: 2,
  createWorkspace: 4,
  unarchiveDocument: 3,
  unarchiveWorkspace: 2,
  checkin: 2,
  createFolder: 3,
};

export type Step = { command: string; who: Who; numbers: number[]; again: boolean };

const step: fc.Arbitrary<Step> = fc.record({
  command: fc.oneof(
    ...Object.keys(COMMANDS).map((name) => ({ weight: OFTEN[name] ?? 1, arbitrary: fc.constant(name) })),
  ),
  who: fc.constantFrom<Who>(...Array<Who>(10).fill('editor'), ...Array<Who>(6).fill('admin'), 'viewer'),
  numbers: fc.array(fc.nat(10_000), { minLength: 12, maxLength: 12 }),
  again: fc.boolean(),
});

/** The start of each history: two models and three assemblies, with a version each. */
const INITIAL_BATCHES: readonly Step[][] = [0, 0, 1, 1, 1].flatMap((kind, i): Step[][] => [
  [
    {
      command: 'createDocument',
      who: 'editor',
      numbers: [i && i + 2, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      again: false,
    },
  ],
  [{ command: 'createVersion', who: 'editor', numbers: [i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], again: false }],
]);

/** Batches of commands; the commands of a batch are sent concurrently. */
export function histories({
  min,
  max,
  concurrent,
}: {
  min: number;
  max: number;
  concurrent: number;
}): fc.Arbitrary<Step[][]> {
  const one = step.map((each) => [each]);
  const some = fc.array(step, { minLength: 2, maxLength: concurrent, size: 'max' });
  return fc
    .array(fc.oneof({ weight: 4, arbitrary: one }, { weight: 1, arbitrary: some }), {
      minLength: min,
      maxLength: max,
      size: 'max',
    })
    .map((batches) => [...INITIAL_BATCHES, ...batches]);
}

/** `recorded` returns the actions of the audit records by request id. */
export type Service = {
  clients: Readonly<Record<Who, Client>>;
  read: Read;
  recorded(requestIds: readonly string[]): Promise<Map<string, string[]>>;
};

type Sent = { command: ModelCommand; answer: Answer; requestId: string };

/** Sends the commands of a batch concurrently; returns the model after them. */
export async function play(service: Service, m: Model, batch: readonly Step[], name: string): Promise<Model> {
  const commands = batch.map(({ command, who, numbers }) => COMMANDS[command]!(m, pickBy(numbers), who));
  const sent = await Promise.all(
    commands.map(async (command, i): Promise<Sent> => {
      const requestId = `${name}-${i}`;
      const answer = await send(service, command, requestId);
      return { command, answer, requestId };
    }),
  );
  const ids = new Set(commands.flatMap(({ documents }) => documents));
  for (const { answer } of sent) if (answer.body?.workspaces) ids.add(answer.body.id);
  const shown = new Map<string, unknown>();
  // the files show the order of concurrent commands
  const show = batch.length > 1 ? readWhole : readDocument;
  for (const id of ids) shown.set(id, await show(service.read, id));
  const expected = batch.length > 1 ? expectedWhole : expectedDocument;
  const ends = (end: Model) => {
    const wrong = [...shown].find(([id, document]) => !isDeepStrictEqual(document, expected(end, id)));
    return wrong ? JSON.stringify({ shown: wrong[1], expected: expected(end, wrong[0]) }, null, 1) : null;
  };
  const recorded = await service.recorded(sent.map(({ requestId }) => requestId));
  const explained = explain(m, sent, recorded, ends);
  if (typeof explained === 'string') throw new Error(`${explained}\n${sent.map(format).join('\n')}`);
  // commands without changes do not use their idempotency key
  for (const [i, { command, answer, requestId }] of sent.entries())
    if (batch[i]?.again && recorded.has(requestId)) await sendAgain(service, command, requestId, answer);
  expect(await service.recorded([...recorded.keys()])).toEqual(recorded);
  return explained;
}

async function send(
  { clients }: Service,
  { who, method, path, body, file }: ModelCommand,
  requestId: string,
): Promise<Answer> {
  const client = clients[who];
  const headers = { 'x-request-id': requestId, 'idempotency-key': requestId };
  if (file)
    return client.send(method, path, file.content, {
      ...headers,
      'x-file-name': Buffer.from(file.fileName).toString('latin1'),
    });
  if (method === 'DELETE') return client.delete(path, headers);
  return method === 'PATCH' ? client.patch(path, body, headers) : client.post(path, body ?? {}, headers);
}

async function sendAgain(service: Service, command: ModelCommand, requestId: string, before: Answer): Promise<void> {
  const { status, bytes } = await send(service, command, requestId);
  expect({ again: command.path, status, text: bytes.toString() }).toEqual({
    again: command.path,
    status: before.status,
    text: before.bytes.toString(),
  });
}

const format = ({ command: { who, method, path, body, file }, answer }: Sent): string =>
  `${who} ${method} ${path} ${JSON.stringify(body ?? file)?.slice(0, 600)} → ${answer.status} ${answer.bytes.toString().slice(0, 600)}`;

/**
 * Returns the model after an order of the commands that explains the responses, the audit records and the final state;
 * else the reason why the last order that was tried does not.
 */
function explain(
  m: Model,
  sent: readonly Sent[],
  recorded: ReadonlyMap<string, string[]>,
  ends: (m: Model) => string | null,
  tried = new Set<string>(),
): Model | string {
  if (!sent.length) return ends(m) ?? m;
  const from = `${sent.map(({ requestId }) => requestId)} ${serialize(m).toString('base64')}`;
  if (sent.length > 1 && tried.has(from)) return 'tried already';
  tried.add(from);
  let why = '';
  for (const first of sent) {
    const { command, answer, requestId } = first;
    const model = structuredClone(m);
    const refusals = command.refusals(model);
    const done = answer.status < 300;
    if (done ? refusals.length : !refusals.includes(answer.body?.code)) {
      why ||= `the model expects ${refusals.join(', ') || 'done'} to ${format(first)}`;
      continue;
    }
    const actions = done ? command.apply(model, answer.body) : [];
    if (!isDeepStrictEqual(actions, recorded.get(requestId) ?? [])) {
      why ||= `the model records ${actions}, the service ${recorded.get(requestId)} of ${format(first)}`;
      continue;
    }
    const others = sent.filter((each) => each !== first);
    const after = explain(model, others, recorded, ends, tried);
    if (typeof after !== 'string') return after;
    why = after;
  }
  return why;
}

/** Compares all records with the model. */
export async function compareAll({ read }: Service, m: Model): Promise<void> {
  for (const document of m.documents.values()) {
    expect(await readWhole(read, document.id, true)).toEqual(expectedWhole(m, document.id, true));
    expect(await readSurroundings(read, document.id)).toEqual(expectedSurroundings(m, document.id));
  }
  const folders = (await read('/folders')).items.filter(({ id }: { id: string }) => m.folders.has(id));
  const counts = (id: string) =>
    [...m.documents.values()].filter(({ folderId, archived }) => folderId === id && !archived).length;
  expect(
    folders
      .map(({ id, name, parentId, documentCount }: Record<string, unknown>) => ({ id, name, parentId, documentCount }))
      .sort(byId),
  ).toEqual(
    [...m.folders.values()]
      .map((folder) => ({ ...folder, parentId: folder.parentId || null, documentCount: counts(folder.id) }))
      .sort(byId),
  );
  for (const id of m.gone) expect([id, await read(`/${NOUNS[id.slice(0, 3)]}/${id}`)]).toEqual([id, null]);
}

const NOUNS: Readonly<Record<string, string>> = {
  doc: 'documents',
  fld: 'folders',
  wsp: 'workspaces',
  ver: 'versions',
  rev: 'revisions',
};
const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
