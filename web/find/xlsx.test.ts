import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { createXlsx } from './xlsx.ts';

test('writes a workbook with all cells as texts and escapes them', async () => {
  const blob = await createXlsx('Documents', [
    ['Number', 'Name'],
    ['PRT-1', '=1+1 <b> & "c"\u0001'],
    ['', '山田 🙂'],
  ]);
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  expect(Object.keys(files).sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!);
  expect(sheet).toContain('<t xml:space="preserve">=1+1 &#60;b&#62; &#38; &#34;c&#34;</t>');
  expect(sheet).toContain('<row><c/><c t="inlineStr"><is><t xml:space="preserve">山田 🙂</t></is></c></row>');
});
