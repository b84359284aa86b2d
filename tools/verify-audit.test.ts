// Two verifiers that share no line of code must say the same of a log: good, or tampered with.
import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { exportedLines } from '../subgraphs/core/domain/export-log.ts';
import { verifierOf, writeVerifier } from '../subgraphs/core/domain/signed-note.ts';
import { verifyLog } from '../subgraphs/core/domain/verify-log.ts';
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

const LOGS = 100;
const PROGRAM = join(import.meta.dirname, 'verify-audit.py');
const python = spawnSync('python3', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'pdm-export-'));
const verifier = writeVerifier(verifierOf('pdm/audit/test', createPublicKey(key)));
afterAll(() => rmSync(folder, { recursive: true }));

async function exported(log: Log): Promise<string> {
  let text = '';
  for await (const line of exportedLines(stored(log))) text += line;
  return text;
}

function kept(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const verify = (...given: string[]) => {
  const { status, stdout, stderr } = spawnSync('python3', [PROGRAM, ...given], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

function someLog(): Log {
  const log = emptyLog();
  for (const [i, chain] of ['a', 'b', 'a', 'folders', 'a'].entries())
    write(log, chain, `“${i}” Größe 部品 😀 \u0001\u2028"\\`);
  seal(log);
  checkpoint(log);
  write(log, 'b', 'waits');
  return log;
}

test.skipIf(!python)(
  `agrees with pdm audit verify on ${LOGS} logs, most of them forged (skipped where there is no python3)`,
  async () => {
    const forgeries = [
      ...Object.entries(TAMPERINGS),
      ...Object.entries(SEEN_FROM_OUTSIDE),
      ['nothing at all', () => undefined] as const,
    ];
    const [older, draws] = [
      fc.sample(logs, LOGS),
      fc.sample(fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), LOGS),
    ];
    const cases = await Promise.all(
      older.map(async (before, i) => {
        const log = copyOf(before);
        write(log, 'a', 'after the backup');
        seal(log);
        const outside = log.tree.note ?? '';
        const [what, tamper] = forgeries[i % forgeries.length] ?? ['', () => undefined];
        let drawn = 0;
        tamper(log, (below) => (below < 1 ? 0 : (draws[i]?.[drawn++ % 40] ?? 0) % below), copyOf(before));
        const { verdict } = await verifyLog(stored(log), { verifiers: trusted, outside: [outside] });
        return { what, verdict, file: kept(`${i}.jsonl`, await exported(log)), outside };
      }),
    );
    const given = cases.map(({ file, outside }) => ({ file, outside }));
    const { stdout, stderr } = spawnSync('python3', ['-c', ALL, PROGRAM, verifier], {
      input: JSON.stringify(given),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const told: string[] = JSON.parse(stdout);
    expect(cases.map(({ what }, i) => `${what}: ${told[i]}`)).toEqual(
      cases.map(({ what, verdict }) => `${what}: ${verdict}`),
    );
    expect(new Set(told)).toEqual(new Set(['good', 'tampered']));
  },
);

// One process for all of them.
const ALL = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location('verify_audit', sys.argv[1])
own = importlib.util.module_from_spec(spec)
spec.loader.exec_module(own)
keys = [own.read_key(sys.argv[2])]
verify = lambda one: own.verify(own.read_export(open(one['file'], encoding='utf-8')), keys, [one['outside']])['verdict']
print(json.dumps([verify(one) for one in json.load(sys.stdin)]))
`;

test.skipIf(!python)('names the first record that is not as it was written, and ends with 0, 1, 2 or 64', async () => {
  const log = someLog();
  const good = kept('good.jsonl', await exported(log));
  const outside = kept('checkpoints', `torn\n\n${log.tree.note}\n\n`);
  expect(verify(good, '--key', verifier, '--checkpoint', outside)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^good: 6 records, 5 sealed, 1 wait to be; log pdm\/audit\/test, root \S+\n$/),
    stderr: '',
  });
  expect(verify(good)).toMatchObject({ status: 2, stdout: expect.stringContaining('unknown') });
  expect(verify(good, '--key', 'mine')).toMatchObject({ status: 64 });
  const text = await exported(log);
  expect(verify(kept('cut.jsonl', text.slice(0, -20)))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('verify-audit: '),
  });
  const edited = kept('edited.jsonl', text.replace('“2”', '“3”'));
  expect(verify(edited, '--key', verifier, '--json')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('is not as it was written'),
  });
});
