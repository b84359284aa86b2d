// Runs the shell commands of README.md and docs/http.md unchanged, except for the address of the service and the token.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';

const home = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const curl = needs('curl');
/** Returns the shell blocks of a page in their order. */
const blocks = (page: string) =>
  [...readFileSync(join(home, page), 'utf8').matchAll(/```sh\n([\s\S]+?)```/g)].map(([, block = '']) => block);

describe.skipIf(curl.isMissing)(curl.title('the documented commands'), () => {
  let pdm: Pdm;
  let folder: string;
  beforeAll(async () => {
    pdm = await startPdm();
    folder = mkdtempSync(join(tmpdir(), 'pdm-commands-'));
    symlinkSync(join(home, 'operate'), join(folder, 'operate'));
  });
  afterAll(async () => {
    await pdm.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function runCommands(commands: string): Promise<string> {
    const script = `PATH="${join(process.execPath, '..')}:$PATH"\n${commands.replaceAll('http://127.0.0.1:8080', pdm.url).replaceAll('pdm_…', pdm.tokens.admin)}`;
    const { stdout } = await run('bash', ['-uc', script], { cwd: folder });
    return stdout;
  }

  test('creates a document, stores a file and creates a version with the commands of README.md', async () => {
    const [first = ''] = blocks('README.md');
    // No engine runs here, so there is no thumbnail yet; the exit code of curl shows it.
    const output = await runCommands(
      `${first.replace(/^call .*thumbnail.*$/m, (line) => `${line.replace(' #', '; thumbnail=$? #')}`)}\necho "$NUMBER $thumbnail"`,
    );
    expect(output.trimEnd().split('\n').at(-1)).toBe('PRT-000001 22');
    const { body } = await pdm.viewer.get('/documents/PRT-000001');
    expect(body.versions).toMatchObject([{ n: 1, comment: 'First' }]);
    const { items } = (await pdm.viewer.get(`/versions/${body.versions[0].id}/artifacts`)).body;
    expect(items).toMatchObject([{ kind: 'source', fileName: 'bracket.step', size: 15469 }]);
    expect(output).toContain('Version 1 of PRT-000001 was created in workspace \\"main\\" with 1 file.');
  });

  test('rejects a conditional write that is repeated with the same tag', async () => {
    const [conditional = ''] = blocks('docs/http.md');
    const again = conditional.split('\n').findLast((line) => line.startsWith('curl'));
    const output = await runCommands(
      `PDM_TOKEN=${pdm.tokens.admin} API=http://127.0.0.1:8080/api/v1\n${conditional}\necho\n${again}`,
    );
    expect(
      output
        .split('\n')
        .map((line) => JSON.parse(line))
        .map(({ name, code }) => name ?? code),
    ).toEqual(['Block', 'precondition_failed']);
  });
});
