import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { createServices } from './services.ts';
import type { Mongo } from './store/mongo.ts';

test('code may be fetched from repositories in the data folder, unless other folders are set', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pdm-services-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const log = createLog({ name: 'test', pretty: false, level: 'fatal' });
  const allowedFolders = (settings: Record<string, string>) =>
    createServices({} as Mongo, readConfig({ PDM_DATA_DIR: dataDir, ...settings }), log).limits.git.local;
  expect(allowedFolders({})).toEqual([join(dataDir, 'repositories')]);
  expect(allowedFolders({ PDM_GIT_ALLOWED_FOLDERS: '/srv/git' })).toEqual(['/srv/git']);
});
