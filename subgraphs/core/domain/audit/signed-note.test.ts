import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkpointText, notesIn, openCheckpoint, originOf, readCheckpoint } from './checkpoint.ts';
import { openNote, readVerifier, signNote, verifierOf, writeVerifier } from './signed-note.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const ours = verifierOf('pdm/test', publicKey);
const stranger = generateKeyPairSync('ed25519');

test("a note of the format's own examples is opened with its verifier", () => {
  const verifier = readVerifier('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
  const note =
    'This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
  expect(verifier && openNote(note, [verifier])).toBe('This is an example message.\n');
});

test('a signature is made as RFC 8032 says', () => {
  const seed = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
  const key = createPrivateKey({
    key: Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex'),
    format: 'der',
    type: 'pkcs8',
  });
  expect(writeVerifier(verifierOf('rfc8032.example', key)).split('+').slice(2).join('+')).toBe(
    Buffer.from('01d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex').toString('base64'),
  );
});

test('what was signed is opened, with empty lines and any letters in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (words) => {
      const text = `${words.replaceAll(/\p{Cc}/gu, ' ')}\n\nmore\n`;
      expect(openNote(signNote(text, 'pdm/test', privateKey), [ours])).toBe(text);
    }),
  );
});

test('a note is not opened once a letter of it is changed', () => {
  const note = signNote('one\ntwo\n', 'pdm/test', privateKey);
  fc.assert(
    fc.property(fc.nat(note.length - 1), fc.constantFrom('x', '\n', ' ', 'A'), (at, letter) => {
      fc.pre(note[at] !== letter);
      const changed = note.slice(0, at) + letter + note.slice(at + 1);
      // base64 has spare bits at its end: two letters may stand for the same bytes
      fc.pre(at < note.length - 4);
      expect(openNote(changed, [ours])).toBeNull();
    }),
  );
});

test('signatures of strangers are ignored, one of a known key that does not fit is not', () => {
  const note = signNote('text\n', 'pdm/test', privateKey);
  const foreign = signNote('text\n', 'pdm/other', stranger.privateKey).split('\n\n')[1];
  const wrong = signNote('other text\n', 'pdm/test', privateKey).split('\n\n')[1];
  expect(openNote(note + foreign, [ours])).toBe('text\n');
  expect(openNote(`text\n\n${foreign}`, [ours])).toBeNull();
  expect(openNote(note + wrong, [ours])).toBeNull();
  expect(openNote(note, [verifierOf('pdm/test', stranger.publicKey)])).toBeNull();
  const both = [ours, verifierOf('pdm/other', stranger.publicKey)];
  expect([openNote(note + foreign, both), openNote(note + foreign + wrong, both)]).toEqual(['text\n', null]);
  for (const torn of [
    '',
    'text\n',
    'text\n\n',
    note.slice(0, -1),
    note.slice(0, -20),
    `${note}\n`,
    `${note}signed by nobody\n`,
  ])
    expect(openNote(torn, [ours])).toBeNull();
});

test('a verifier is read from the line it is written as, and from no other', () => {
  const line = writeVerifier(ours);
  expect(readVerifier(line)).toMatchObject({ name: 'pdm/test', id: ours.id });
  for (const other of [line.slice(1), `x${line}`, line.replace(/\+[0-9a-f]{8}\+/, '+00000000+'), 'pdm/test', ''])
    expect(readVerifier(other)).toBeNull();
});

test('a checkpoint says which log, how many records, and the root', () => {
  const checkpoint = { origin: originOf('x'), size: 7, root: Buffer.alloc(32, 1) };
  const note = signNote(checkpointText(checkpoint), checkpoint.origin, privateKey);
  expect(openCheckpoint(note, [verifierOf(checkpoint.origin, publicKey)])).toEqual(checkpoint);
  expect(openCheckpoint(note, [ours])).toBeNull();
  expect(readCheckpoint(note.replace('\n7\n', '\n07\n'))).toBeNull();
  expect(readCheckpoint('hello\n\n\u2014 x y\n')).toBeNull();
});

test('a file gives back the notes that were appended, whatever a power cut left between them', () => {
  const notes = [1, 2, 3].map((size) =>
    signNote(checkpointText({ origin: 'pdm/test', size, root: Buffer.alloc(32, size) }), 'pdm/test', privateKey),
  );
  expect(notesIn(notes.map((note) => `${note}\n`).join(''))).toEqual({ notes, torn: 0 });
  expect(notesIn(notes.join('\n').slice(0, -1))).toEqual({ notes, torn: 0 });
  expect(notesIn('')).toEqual({ notes: [], torn: 0 });
  const [first = '', second = ''] = notes;
  for (let cut = 1; cut < second.length - 1; cut++) {
    const found = notesIn(`${first}\n${second.slice(0, cut)}\n\n${second}\n`);
    expect([cut, found.notes, found.torn > 0]).toEqual([cut, [first, second], true]);
  }
});

test('a text that could steer a terminal is not opened, whoever signed it, nor are more than 16 signatures', () => {
  expect(openNote(signNote('\u001b[2J\n', 'pdm/test', privateKey), [ours])).toBeNull();
  const [text = '', signature = ''] = signNote('text\n', 'pdm/test', privateKey).split('\n\n');
  expect([16, 17].map((count) => openNote(`${text}\n\n${signature.repeat(count)}`, [ours]))).toEqual(['text\n', null]);
});
