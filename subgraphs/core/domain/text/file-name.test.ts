import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeContentType, safeFileName } from './file-name.ts';

test.each([
  ['Größe 部品.step', 'Größe 部品.step'],
  ['C:\\parts\\bracket.stp', 'bracket.stp'],
  ['../../etc/passwd', 'passwd'],
  ['parts/', 'file'],
  ['', 'file'],
  [null, 'file'],
  ['..', 'file'],
  [' a.stp ', 'a.stp'],
  ['a\r\nb\u0000.stp', 'ab.stp'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['Gro\u0308ße.step', 'Größe.step'],
  ['\ufefffile.stp', 'file.stp'],
  ['a"; filename="evil.html', 'a"; filename="evil.html'],
  ['\ud800.stp', '\ufffd.stp'],
])('stores the name %j as %j', (name, stored) => expect(safeFileName(name)).toBe(stored));

test('truncates names to 200 characters and keeps the extension', () => {
  const name = safeFileName(`${'部'.repeat(300)}.step`);
  expect([...name]).toHaveLength(200);
  expect(name.endsWith('部.step')).toBe(true);
});

test('returns one short NFC segment without invisible characters, and is idempotent', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 250 }), fc.string({ unit: 'grapheme', maxLength: 250 })),
      (sent) => {
        const name = safeFileName(sent);
        expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(name.length).toBeGreaterThan(0);
        expect([...name].length).toBeLessThanOrEqual(200);
        expect(name.isWellFormed()).toBe(true);
        expect(name.normalize('NFC')).toBe(name);
        expect(safeFileName(name)).toBe(name);
      },
    ),
  );
});

test.each([
  ['model/STEP', 'model/step'],
  ['text/html; charset=utf-8', 'text/html'],
  ['application/x-www-form-urlencoded', 'application/octet-stream'],
  ['multipart/form-data; boundary=x', 'application/octet-stream'],
  ['nonsense', 'application/octet-stream'],
  ['a/b\r\nset-cookie: x', 'application/octet-stream'],
  [undefined, 'application/octet-stream'],
])('stores the media type %j as %j', (type, stored) => expect(safeContentType(type)).toBe(stored));
