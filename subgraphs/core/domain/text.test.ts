import { expect, test } from 'vitest';
import { caseless, folded } from './text.ts';

test('names that may not be equal are compared without their case, but with their accents', () => {
  expect(caseless('MÜLLER')).toBe(caseless('Mu\u0308ller'));
  expect(caseless('Müller')).not.toBe(caseless('Muller'));
  expect(folded('Müller')).toBe(folded('Muller'));
});

test('a name compared twice is the same as compared once', () => {
  for (const name of ['İzmir', 'ΟΔΟΣ', 'ＡＢＣ', 'Größe']) expect(caseless(caseless(name))).toBe(caseless(name));
});
