// The commands of docs/worker-protocol.md, run against the service from top to bottom: what the document shows is what is answered.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256Of } from '../test/support/content.ts';
import { type Pdm, startPdm } from '../test/support/pdm.ts';

const SOURCE = 'ISO-10303-21; a bracket';
const run = promisify(execFile);
const curl = spawnSync('curl', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pdm-protocol-'));
let pdm: Pdm;
let variables: Record<string, string>;

beforeAll(async () => {
  pdm = await startPdm();
  variables = { PATH: process.env.PATH ?? '', PDM_URL: `${pdm.url}/api/v1`, TOKEN: pdm.tokens.worker };
});
afterAll(async () => {
  await pdm.close();
  rmSync(folder, { recursive: true, force: true });
});

const protocol = readFileSync(new URL('./worker-protocol.md', import.meta.url), 'utf8');
const BLOCK = /```sh ?(refused|next)?\n([\s\S]+?)```\n(?:\n```json\n([\s\S]+?)```)?/g;
const commands = [...protocol.matchAll(BLOCK)].map(([, how, command = '', shown]) => ({
  name: `${how ? `${how}: ` : ''}${command.split('"')[1]?.replace('$PDM_URL', '')}`,
  claims: command.includes('/jobs/claim'),
  next: how === 'next',
  command,
  shown: shown && JSON.parse(shown),
}));

describe('the document', () => {
  test('has a command for every route of a worker', () => {
    const routes = ['/jobs/claim', '/context', '/file', '/heartbeat', '/artifacts?kind=', '/complete', '/fail', '/give-back'];
    for (const route of routes) expect(commands.map(({ command }) => command)).toContainEqual(expect.stringContaining(route));
  });

  test.skipIf(!curl).each(commands)(`$name${curl ? '' : ' (curl is not installed)'}`, async ({ command, shown, claims, next }) => {
    if (claims || next) await queued();
    if (next) know(await answered(commands[0]?.command ?? ''));
    const { stdout } = await run('sh', ['-ec', command], { env: variables, cwd: folder });
    if (!shown) return expect(stdout).toContain(sha256Of(SOURCE));
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject(likeIn(shown, answer) as object);
    know(answer);
  });
});

async function answered(command: string): Promise<Record<string, unknown>> {
  return JSON.parse((await run('sh', ['-ec', command], { env: variables, cwd: folder })).stdout);
}

async function queued(): Promise<void> {
  const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
  const draftId = (await pdm.viewer.get(`/documents/${body.id}/workspaces`)).body.items[0].draftId;
  await pdm.editor.upload(draftId, 'source', SOURCE, { fileName: 'bracket.step', headers: { 'content-type': 'model/step' } });
}

/** The variables that the text says it has from the answers. */
function know(answer: Record<string, unknown>): void {
  if (answer.leaseSeconds)
    Object.assign(variables, { JOB: answer.id, ATTEMPT: String(answer.attempt), VERSION: answer.versionId, INPUT_SHA256: answer.inputSha256 });
  const [file] = (answer.files ?? []) as { id: string }[];
  if (file) variables.FILE = file.id;
}

// Ids, hashes, times and sizes are examples; words, flags and the names of members are promises.
function likeIn(shown: unknown, answer: unknown): unknown {
  if (Array.isArray(shown)) return shown.map((item, i) => likeIn(item, (answer as unknown[])[i]));
  if (typeof shown === 'object' && shown !== null)
    return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, likeIn(value, (answer as Record<string, unknown>)[name])]));
  const example = typeof shown === 'string' ? /_01m8|…|^\d{4}-\d\d-\d\dT|^PRT-/.test(shown) : typeof shown === 'number' && shown > 1_000;
  return example ? expect.any(typeof shown === 'string' ? String : Number) : shown;
}
