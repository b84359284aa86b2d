import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { readAuditPublicKey, readOrCreateAuditKey } from '../subgraphs/core/platform/audit-key.ts';
import { separateKeys } from './prepare.ts';

const root = mkdtempSync(join(tmpdir(), 'pdm-prepare-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let data: string;
let sealing: string;
beforeEach(() => {
  data = mkdtempSync(join(root, 'data-'));
  sealing = mkdtempSync(join(root, 'sealing-'));
});

test('creates the keys of a new installation, and changes nothing when it runs again', () => {
  separateKeys(data, sealing);
  const read = () => [...readdirSync(data), ...readdirSync(sealing)].sort();
  const key = readFileSync(join(sealing, 'audit-key'), 'utf8');
  separateKeys(data, sealing);
  expect(read()).toEqual(['audit-key', 'audit-key.pub', 'secret', 'secret']);
  expect(readFileSync(join(sealing, 'audit-key'), 'utf8')).toBe(key);
});

test('completes a move of the key that was interrupted before the former file was deleted', () => {
  readOrCreateAuditKey(data);
  writeFileSync(join(sealing, 'audit-key'), readFileSync(join(data, 'audit-key')));
  const publicKey = readAuditPublicKey(data);
  separateKeys(data, sealing);
  expect(readdirSync(data).sort()).toEqual(['audit-key.pub', 'secret']);
  expect(readAuditPublicKey(data)?.equals(publicKey!)).toBe(true);
});

test('deletes no key when the folders have different ones', () => {
  for (const folder of [data, sealing]) readOrCreateAuditKey(folder);
  expect(() => separateKeys(data, sealing)).toThrow(/different keys/);
  expect(readdirSync(data)).toContain('audit-key');
});
