// Random input of commands: choices among the records of the model, and unusual texts.
import type { Model } from './state.ts';

/** Chooses by the given numbers in order; the same numbers make the same choices. */
export type Choose = {
  number(below: number): number;
  of<T>(list: readonly T[]): T | undefined;
  chance(one: number): boolean;
};

export function pickBy(numbers: readonly number[]): Choose {
  let next = 0;
  const number = (below: number): number => {
    const drawn = numbers[next++ % numbers.length] ?? 0;
    return below > 0 ? (drawn + Math.floor(next / numbers.length)) % below : 0;
  };
  return { number, of: (list) => list[number(list.length)], chance: (one) => number(one) === one - 1 };
}

/** One of the ids, rarely a deleted one. */
export function someId(m: Model, pick: Choose, ids: Iterable<string>): string | undefined {
  const gone = [...m.gone];
  return gone.length && pick.chance(25) ? pick.of(gone) : pick.of([...ids]);
}

/** Sent texts with their stored form; null: rejected. */
export type Text = readonly [given: string, stored: string | null];

export const NAMES: readonly [Text, ...Text[]] = [
  ['Bracket', 'Bracket'],
  ['e\u0301clair', 'éclair'],
  ['ÉCLAIR', 'ÉCLAIR'],
  ...['bracket', '部品 ２号', '👩🏽‍🔧🔩', 'תושבת Bracket', 'حامل', 'ß Straße', 'STRASSE', 'İstanbul', 'x'].map(
    (name): Text => [name, name],
  ),
  ['  padded\u3000', 'padded'],
  ['"quoted" $set.{name} <b>', '"quoted" $set.{name} <b>'],
  ['長'.repeat(200), '長'.repeat(200)],
  ['🔩'.repeat(200), '🔩'.repeat(200)],
  ['z\u0301\u0302\u0303\u0304', 'z\u0301\u0302\u0303\u0304'.normalize('NFC')],
  ...['', ' ', '\u200b', 'two\nlines', '\u202egnp.exe', 'y'.repeat(201)].map((name): Text => [name, null]),
];

/** Names that are often equal, so that they collide. */
export function someName(pick: Choose): Text {
  const few = NAMES.slice(0, 3);
  return pick.of([...NAMES, ...few, ...few, ...few, ...few, ...few]) ?? NAMES[0];
}

export const COMMENTS: readonly (readonly [given: string | null, stored: string | null])[] = [
  [null, null],
  ['', null],
  [' \n', null],
  ['First\nsecond', 'First\nsecond'],
  ['コメント 👷', 'コメント 👷'],
  ['הערה', 'הערה'],
  ['長'.repeat(4000), '長'.repeat(4000)],
];

export const FILE_NAMES = ['図面.pdf', 'шайба 🔩.stp', 'קובץ.step', 'é.txt', `${'長'.repeat(196)}.stp`];

/** Names in one place are equal when they differ only in case. */
export function sameName(a: string, b: string): boolean {
  const key = (name: string) => name.normalize('NFC').toLowerCase().normalize('NFC');
  return key(a) === key(b);
}
