// Checks the OpenAPI description with the tools that others use: two linters, and two client generators whose clients run
// the main job unmodified. `npm run test:clients` installs the tools in test/api-clients.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MainJob } from './api-clients/job.ts';
import { needs } from './support/needs.ts';
import { type Pdm, startPdm } from './support/pdm.ts';

const HOME = join(import.meta.dirname, 'api-clients');
const PACKAGES = join(HOME, 'node_modules');
const GENERATED = join(HOME, 'generated');
const DESCRIPTION = join(GENERATED, 'openapi.json');
const STEP = Buffer.from('ISO-10303-21;\n\0\xff\r\nEND-ISO-10303-21;\n', 'latin1');

const tools = needs('API client tools', existsSync(join(PACKAGES, '.package-lock.json')));

/** Runs a tool and returns its standard output; throws if it fails. */
async function run(script: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const options = { cwd: HOME, env, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, [join(PACKAGES, script), ...args], options).catch(
    (error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    },
  );
  return stdout;
}

describe.skipIf(tools.isMissing)(tools.title('the OpenAPI description'), { timeout: 180_000 }, () => {
  let pdm: Pdm;
  beforeAll(async () => {
    pdm = await startPdm();
    rmSync(GENERATED, { recursive: true, force: true });
    mkdirSync(GENERATED);
    writeFileSync(DESCRIPTION, (await pdm.viewer.get('/openapi.json')).bytes);
    await run('openapi-typescript/bin/cli.js', DESCRIPTION, '-o', join(GENERATED, 'openapi-fetch.ts'));
    await run('@hey-api/openapi-ts/bin/run.js', '-i', DESCRIPTION, '-o', join(GENERATED, 'hey-api'), '--silent');
  }, 180_000);
  afterAll(() => pdm?.close());

  test('has no errors or warnings by the OpenAPI rules of Spectral', async () => {
    const args = ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', '--format', 'text', DESCRIPTION];
    expect(await run('@stoplight/spectral-cli/dist/index.js', ...args)).toContain('No results');
  });

  test('has no errors or warnings by the recommended rules of Redocly', async () => {
    const args = ['lint', '--config', 'redocly.yaml', '--format', 'json', DESCRIPTION];
    expect(JSON.parse(await run('@redocly/cli/bin/cli.js', ...args)).problems).toEqual([]);
  });

  test('generates clients with the types that the main job needs', async () => {
    expect(await run('typescript/bin/tsc', '-p', HOME)).toBe('');
  });

  test.each(['hey-api', 'openapi-fetch'])('generates a client that runs the main job unmodified: %s', async (name) => {
    const { mainJob } = (await import(join(HOME, `${name}.ts`))) as { mainJob: MainJob };
    const { label, rows, partNumber, downloaded } = await mainJob(service(), new Uint8Array(STEP));
    expect(label).toBe('A');
    expect(rows.map(({ number, quantity }) => ({ number, quantity }))).toEqual([{ number: partNumber, quantity: 2 }]);
    expect(Buffer.from(downloaded).equals(STEP)).toBe(true);
  });

  test('stores no file that openapi-fetch has encoded as JSON', async () => {
    const { uploadAsJson } = await import(join(HOME, 'openapi-fetch.ts'));
    const { body } = await pdm.editor.post('/documents', { name: 'Bracket', kind: 'model' });
    expect(await uploadAsJson(service(), body.workspaces[0].draftId)).toBe('unsupported_media_type');
  });

  const service = () => ({ baseUrl: `${pdm.url}/api/v1`, token: pdm.tokens.editor });
});
