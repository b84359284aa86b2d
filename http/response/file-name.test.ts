import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileName } from '../../subgraphs/core/domain/text/file-name.ts';
import { contentDisposition, readFileName } from './file-name.ts';

const asHeader = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['reads UTF-8 bytes as UTF-8', asHeader('Größe 部品.step'), 'Größe 部品.step'],
  ['reads other bytes as latin1', 'Gr\u00f6\u00dfe.step', 'Größe.step'],
  ['keeps the last segment of a path', '../../etc/passwd', 'passwd'],
  ['keeps the last segment of a Windows path', 'C:\\parts\\bolt.step', 'bolt.step'],
  ['removes control and bidirectional characters', asHeader('a\u0000b\u202egnp.exe'), 'abgnp.exe'],
  ['normalizes to composed characters', asHeader('u\u0308.step'), 'ü.step'],
  ['keeps quotes', 'a"b\'c.step', 'a"b\'c.step'],
  ['keeps names of Windows devices', 'CON', 'CON'],
  ["decodes ASCII after UTF-8'' as RFC 8187", "UTF-8''%E9%83%A8%E5%93%81%20a.step", '部品 a.step'],
  ['accepts a language tag of RFC 8187', "utf-8'ja'%E9%83%A8.step", '部.step'],
  ['removes an escaped path', "UTF-8''..%2Fpasswd", 'passwd'],
  ['keeps an invalid escape as it is', "UTF-8''50%.step", "UTF-8''50%.step"],
  ['keeps percent signs without the prefix', '50%25.step', '50%25.step'],
  ['defaults to "file" without a header', undefined, 'file'],
  ['defaults to "file" for an empty name', ' ', 'file'],
  ['defaults to "file" for a folder', '..', 'file'],
])('%s', (_rule, header, name) => {
  expect(readFileName(header)).toBe(name);
});

test('truncates a long name between characters and keeps its extension', () => {
  expect(readFileName(asHeader(`${'😀'.repeat(300)}.step`))).toBe(`${'😀'.repeat(195)}.step`);
});

test('encodes every name as ASCII without further parameters, reversibly', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const name = safeFileName(text);
      const header = contentDisposition(name);
      expect(header).toMatch(/^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w.~!#$&+^`|%-]*$/);
      expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name);
      expect(safeFileName(name)).toBe(name);
    }),
  );
});
