import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileName } from '../../subgraphs/core/domain/text/file-name.ts';
import { contentDisposition, readFileName } from './file-name.ts';

const asHeader = (text: string) => Buffer.from(text).toString('latin1');

test.each([
  ['UTF-8 bytes are read as UTF-8', asHeader('Größe 部品.step'), 'Größe 部品.step'],
  ['bytes that are not UTF-8 are read as latin1', 'Gr\u00f6\u00dfe.step', 'Größe.step'],
  ['of a path the last segment counts', '../../etc/passwd', 'passwd'],
  ['of a Windows path too', 'C:\\parts\\bolt.step', 'bolt.step'],
  ['control and bidirectional characters go', asHeader('a\u0000b\u202egnp.exe'), 'abgnp.exe'],
  ['composed and decomposed letters are one', asHeader('u\u0308.step'), 'ü.step'],
  ['quotes stay', 'a"b\'c.step', 'a"b\'c.step'],
  ['names of devices are only names', 'CON', 'CON'],
  ["ASCII behind UTF-8'' is read as RFC 8187 says", "UTF-8''%E9%83%A8%E5%93%81%20a.step", '部品 a.step'],
  ['a language may stand between', "utf-8'ja'%E9%83%A8.step", '部.step'],
  ['what is escaped there is no folder either', "UTF-8''..%2Fpasswd", 'passwd'],
  ['what is none of that is a name', "UTF-8''50%.step", "UTF-8''50%.step"],
  ['percent signs alone are a name', '50%25.step', '50%25.step'],
  ['nothing is a file', undefined, 'file'],
  ['an empty name is a file', ' ', 'file'],
  ['a folder is a file', '..', 'file'],
])('%s', (_rule, header, name) => {
  expect(readFileName(header)).toBe(name);
});

test('a long name is cut between characters and keeps its ending', () => {
  expect(readFileName(asHeader(`${'😀'.repeat(300)}.step`))).toBe(`${'😀'.repeat(195)}.step`);
});

test('whatever the name, the header is ASCII without a second parameter, and gives the name back', () => {
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
