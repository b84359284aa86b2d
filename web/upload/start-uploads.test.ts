import { expect, test, vi } from 'vitest';
import { stubStorage } from '../../test/support/stub-storage.ts';
import { inspectFiles } from './inspect-files.ts';
import { interruptedFiles, loadInterruptedFiles } from './pending-files.ts';
import { continueUploads } from './start-uploads.ts';
import { uploadAsNew } from './transfers.ts';

vi.mock('./inspect-files.ts', () => ({ inspectFiles: vi.fn() }));
vi.mock('./transfers.ts', () => ({ uploadAsNew: vi.fn() }));

test('continues a renamed file under its former name, with its media type and date', async () => {
  stubStorage('sessionStorage');
  loadInterruptedFiles('usr_1');
  const left = {
    key: 'k',
    fileName: 'pump.step.zip',
    size: 2,
    sha256: 'hash',
    folderId: 'fld_1',
    split: true,
    startedAt: 0,
  };
  interruptedFiles.value = [left];
  const file = new File(['PK'], 'renamed.zip', { type: 'application/zip', lastModified: 5 });
  vi.mocked(inspectFiles).mockResolvedValue([
    { file, path: '', sha256: 'hash', structure: null, existing: null, sameAs: null },
  ]);
  expect(await continueUploads([file], [left])).toEqual([]);
  const [[uploaded, folderId, options] = []] = vi.mocked(uploadAsNew).mock.calls;
  expect(uploaded).toMatchObject({ name: 'pump.step.zip', type: 'application/zip', lastModified: 5 });
  expect([folderId, options]).toMatchObject(['fld_1', { key: 'k', split: true }]);
});
