// Compares the Python verifier with `pdm audit verify`: two implementations without shared code, one verdict.
import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { exportLog } from '../subgraphs/core/domain/audit/export-log.ts';
import { createVerifier, formatVerifier } from '../subgraphs/core/domain/audit/signed-note.ts';
import { verifyLog } from '../subgraphs/core/domain/audit/verify-log.ts';
import {
  checkpoint,
  copyOf,
  emptyLog,
  key,
  type Log,
  logs,
  SEEN_FROM_OUTSIDE,
  seal,
  stored,
  TAMPERINGS,
  trusted,
  write,
} from '../test/support/audit-logs.ts';
import { needs } from '../test/support/needs.ts';

const LOGS = 100;
const PROGRAM = join(import.meta.dirname, 'verify-audit.py');
const python = needs('python3');
const folder = mkdtempSync(join(tmpdir(), 'pdm-export-'));
const verifier = formatVerifier(createVerifier('pdm/audit/test', createPublicKey(key)));
afterAll(() => rmSync(folder, { recursive: true }));

async function exported(log: Log): Promise<string> {
  let text = '';
  for await (const line of exportLog(stored(log))) text += line;
  return text;
}

function writeFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const verify = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('python3', [PROGRAM, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

function sampleLog(): Log {
  const log = emptyLog();
  for (const [i, chain] of ['a', 'b', 'a', 'folders', 'a'].entries())
    write(log, chain, `“${i}” Größe 部品 😀 \u0001\u2028"\\`);
  seal(log);
  checkpoint(log);
  write(log, 'b', 'waits');
  return log;
}

test.skipIf(python.isMissing)(
  python.title(`returns the same verdict as pdm audit verify for ${LOGS} logs, most of them forged`),
  async () => {
    const forgeries = [
      ...Object.entries(TAMPERINGS),
      ...Object.entries(SEEN_FROM_OUTSIDE),
      ['no change', () => undefined] as const,
    ];
    const [originals, choices] = [
      fc.sample(logs, LOGS),
      fc.sample(fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), LOGS),
    ];
    const cases = await Promise.all(
      originals.map(async (before, i) => {
        const log = copyOf(before);
        write(log, 'a', 'after the backup');
        seal(log);
        const checkpoint = log.tree.note ?? '';
        const [name, tamper] = forgeries[i % forgeries.length] ?? ['', () => undefined];
        let chosen = 0;
        tamper(log, (limit) => (limit < 1 ? 0 : (choices[i]?.[chosen++ % 40] ?? 0) % limit), copyOf(before));
        const { verdict } = await verifyLog(stored(log), { verifiers: trusted, externalCheckpoints: [checkpoint] });
        return { name, verdict, file: writeFile(`${i}.jsonl`, await exported(log)), checkpoint };
      }),
    );
    const inputs = cases.map(({ file, checkpoint }) => ({ file, checkpoint }));
    const { stdout, stderr } = spawnSync('python3', ['-c', VERIFY_ALL, PROGRAM, verifier], {
      input: JSON.stringify(inputs),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const verdicts: string[] = JSON.parse(stdout);
    expect(cases.map(({ name }, i) => `${name}: ${verdicts[i]}`)).toEqual(
      cases.map(({ name, verdict }) => `${name}: ${verdict}`),
    );
    expect(new Set(verdicts)).toEqual(new Set(['intact', 'tampered']));
  },
);

// Verifies all logs in one process.
const VERIFY_ALL = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('verify_audit', sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
keys = [module.read_key(sys.argv[2])]
read = lambda log: module.read_export(open(log['file'], encoding='utf-8'))
verify = lambda log: module.verify(read(log), keys, [log['checkpoint']])['verdict']
print(json.dumps([verify(log) for log in json.load(sys.stdin)]))
`;

test.skipIf(python.isMissing)(
  python.title('reports the first modified record and exits with 0, 1, 2 or 64'),
  async () => {
    const log = sampleLog();
    const intact = writeFile('intact.jsonl', await exported(log));
    const checkpoints = writeFile('checkpoints', `torn\n\n${log.tree.note}\n\n`);
    expect(verify(intact, '--key', verifier, '--checkpoint', checkpoints)).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^intact: 6 records, 5 sealed, 1 pending; log pdm\/audit\/test, root \S+\n$/),
      stderr: '',
    });
    expect(verify(intact)).toMatchObject({ status: 2, stdout: expect.stringContaining('unknown') });
    expect(verify(intact, '--key', 'mine')).toMatchObject({ status: 64 });
    const text = await exported(log);
    expect(verify(writeFile('cut.jsonl', text.slice(0, -20)))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('verify-audit: '),
    });
    const edited = writeFile('edited.jsonl', text.replace('“2”', '“3”'));
    expect(verify(edited, '--key', verifier, '--json')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('hash does not match the content'),
    });
  },
);
