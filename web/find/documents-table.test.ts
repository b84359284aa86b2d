import { expect, test } from 'vitest';
import { documentsTable, tableCsv } from './documents-table.ts';

test('quotes cells and keeps spreadsheets from running formulas', () => {
  const document = {
    number: 'PRT-1',
    name: '=1+1, "bolt"',
    kind: 'model' as const,
    archived: false,
    folder: { id: 'f', path: 'Machines/Presses' },
    updatedAt: '2026-01-01T00:00:00Z',
    updatedBy: { name: 'Ada' },
    workspaces: [{ id: 'w', name: 'main', newestVersion: { id: 'v', n: 3 }, reservation: null }],
    revisions: [{ label: 'B', obsolete: false, versionN: 2 }],
  };
  expect(tableCsv(documentsTable([document])).split('\r\n')).toEqual([
    'Number,Name,Kind,Revision,Newest version,Checked out by,Folder,Archived,Changed,Changed by',
    `PRT-1,"'=1+1, ""bolt""",model,B,v3,,Machines/Presses,,2026-01-01T00:00:00Z,Ada`,
    '',
  ]);
});
