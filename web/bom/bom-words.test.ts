import { describe, expect, it } from 'vitest';
import { countMarks, marksOf, meantWords, mentions, pointingOf, stateWords } from './bom-words.ts';

const LINE = {
  number: 'PRT-000001',
  name: 'Hexagon bolt M8',
  address: 'pdm://documents/PRT-000001@A',
  resolution: { label: 'A', n: 2, obsolete: false },
  outdated: false,
  outdatedBelow: false,
  reason: null,
};
const texts = (
  line: typeof LINE | (Omit<typeof LINE, 'resolution' | 'reason'> & { resolution: null; reason: string | null }),
) => marksOf(line).map(({ text }) => text);

describe('words of a bill of material', () => {
  it.each([
    ['pdm://documents/PRT-1', 'floating'],
    ['pdm://documents/PRT-1@A', 'revision'],
    ['pdm://documents/PRT-1@AB', 'revision'],
    ['pdm://documents/PRT-1@v', 'revision'],
    ['pdm://documents/PRT-1@v12', 'version'],
  ])('%s points by: %s', (address, pointing) => expect(pointingOf(address)).toBe(pointing));

  it('names a release by its label and its version, a version by its number, a draft by its workspace', () => {
    expect(meantWords({ label: 'B', n: 3, obsolete: false })).toBe('Rev B · v3');
    expect(meantWords({ label: null, n: 3, obsolete: false })).toBe('v3');
    expect(stateWords({ type: 'draft', n: null, releasedAs: null, workspace: { name: 'main' } })).toBe('Draft in main');
    expect(stateWords({ type: 'version', n: 4, releasedAs: { label: 'C' }, workspace: { name: 'main' } })).toBe(
      'Rev C · v4',
    );
  });

  it('marks what is to be noticed: outdated itself rather than inside, obsolete and outdated together', () => {
    expect(texts(LINE)).toEqual([]);
    expect(texts({ ...LINE, outdated: true, outdatedBelow: true })).toEqual(['outdated']);
    expect(texts({ ...LINE, outdatedBelow: true })).toEqual(['outdated inside']);
    expect(texts({ ...LINE, outdated: true, resolution: { ...LINE.resolution, obsolete: true } })).toEqual([
      'obsolete',
      'outdated',
    ]);
    expect(marksOf({ ...LINE, resolution: null, reason: 'there is no such document' })).toMatchObject([
      { text: 'unresolved', why: 'there is no such document' },
    ]);
  });

  it('finds lines by words of number, name or address, in any order', () => {
    expect(mentions('  ')).toBeNull();
    expect(mentions('m8 bolt')?.(LINE)).toBe(true);
    expect(mentions('prt-000001')?.(LINE)).toBe(true);
    expect(mentions('bolt m10')?.(LINE)).toBe(false);
    expect(mentions('nut')?.({ ...LINE, name: null, number: null, address: 'pdm://documents/NUT-1' })).toBe(true);
  });

  it('counts the lines that have to be looked at', () => {
    expect(
      countMarks([LINE, { ...LINE, outdated: true }, { ...LINE, resolution: null }, { ...LINE, outdatedBelow: true }]),
    ).toEqual({
      outdated: 1,
      obsolete: 0,
      unresolved: 1,
    });
  });
});
