import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCheckpoint, logOrigin, openCheckpoint, parseCheckpoint, parseNotes } from './checkpoint.ts';
import { createVerifier, formatVerifier, openNote, parseVerifier, signNote } from './signed-note.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const ours = createVerifier('pdm/test', publicKey);
const unknown = generateKeyPairSync('ed25519');

test('opens the example note of the specification', () => {
  const verifier = parseVerifier('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const note =
    'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
  expect(verifier && openNote(note, [verifier])).toBe('This is an example message.\n');
});

test('encodes the key of an RFC 8032 test vector', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const key = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  expect(formatVerifier(createVerifier('rfc8032.example', key)).split('+').slice(2).join('+')).toBe(
    Buffer.from('01d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64'),
  );
});

test('opens notes with empty lines and any characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (line) => {
      const text = `${line.replaceAll(/\p{Cc}/gu, ' ')}\n\nmore\n`;
      expect(openNote(signNote(text, 'pdm/test', privateKey), [ours])).toBe(text);
    }),
  );
});

test('rejects notes with a changed character', () => {
  const note = signNote('one\ntwo\n', 'pdm/test', privateKey);
  fc.assert(
    fc.property(fc.nat(note.length - 1), fc.constantFrom('x', '\n', ' ', 'A'), (at, character) => {
      fc.pre(note[at] !== character);
      const changed = note.slice(0, at) + character + note.slice(at + 1);
      // the last base64 digits have unused bits: different characters can encode the same bytes
      fc.pre(at < note.length - 4);
      expect(openNote(changed, [ours])).toBeNull();
    }),
  );
});

test('ignores signatures of unknown keys but rejects wrong ones of known keys', () => {
  const note = signNote('text\n', 'pdm/test', privateKey);
  const foreign = signNote('text\n', 'pdm/other', unknown.privateKey).split('\n\n')[1];
  const wrong = signNote('other text\n', 'pdm/test', privateKey).split('\n\n')[1];
  expect(openNote(note + foreign, [ours])).toBe('text\n');
  expect(openNote(`text\n\n${foreign}`, [ours])).toBeNull();
  expect(openNote(note + wrong, [ours])).toBeNull();
  expect(openNote(note, [createVerifier('pdm/test', unknown.publicKey)])).toBeNull();
  const both = [ours, createVerifier('pdm/other', unknown.publicKey)];
  expect([openNote(note + foreign, both), openNote(note + foreign + wrong, both)]).toEqual(['text\n', null]);
  for (const invalid of [
    '',
    'text\n',
    'text\n\n',
    note.slice(0, -1),
    note.slice(0, -20),
    `${note}\n`,
    `${note}signed by nobody\n`,
  ])
    expect(openNote(invalid, [ours])).toBeNull();
});

test('parses only valid lines of verifiers', () => {
  const line = formatVerifier(ours);
  expect(parseVerifier(line)).toMatchObject({ name: 'pdm/test', id: ours.id });
  for (const other of [line.slice(1), `x${line}`, line.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), 'pdm/test', ''])
    expect(parseVerifier(other)).toBeNull();
});

test('parses checkpoints', () => {
  const checkpoint = { origin: logOrigin('x'), size: 7, root: Buffer.alloc(32, 1) };
  const note = signNote(formatCheckpoint(checkpoint), checkpoint.origin, privateKey);
  expect(openCheckpoint(note, [createVerifier(checkpoint.origin, publicKey)])).toEqual(checkpoint);
  expect(openCheckpoint(note, [ours])).toBeNull();
  expect(parseCheckpoint(note.replace('\n7\n', '\n07\n'))).toBeNull();
  expect(parseCheckpoint('hello\n\n\u2014 x y\n')).toBeNull();
});

test('parses the notes of a file with incomplete ones between them', () => {
  const notes = [1, 2, 3].map((size) =>
    signNote(formatCheckpoint({ origin: 'pdm/test', size, root: Buffer.alloc(32, size) }), 'pdm/test', privateKey),
  );
  expect(parseNotes(notes.map((note) => `${note}\n`).join(''))).toEqual({ notes, torn: 0 });
  expect(parseNotes(notes.join('\n').slice(0, -1))).toEqual({ notes, torn: 0 });
  expect(parseNotes('')).toEqual({ notes: [], torn: 0 });
  const [first = '', second = ''] = notes;
  for (let cut = 1; cut < second.length - 1; cut++) {
    const found = parseNotes(`${first}\n${second.slice(0, cut)}\n\n${second}\n`);
    expect([cut, found.notes, found.torn > 0]).toEqual([cut, [first, second], true]);
  }
});

test('rejects control characters and more than 16 signatures', () => {
  expect(openNote(signNote('\u001b[2J\n', 'pdm/test', privateKey), [ours])).toBeNull();
  const [text = '', signature = ''] = signNote('text\n', 'pdm/test', privateKey).split('\n\n');
  expect([16, 17].map((count) => openNote(`${text}\n\n${signature.repeat(count)}`, [ours]))).toEqual(['text\n', null]);
});
