import { describe, expect, it } from 'vitest';
import { countIssues, issuesOf, referenceTypeOf, resolvedLabel, textFilter, versionLabel } from './bom-lines.ts';

const LINE = {
  number: 'PRT-000001',
  name: 'Hexagon bolt M8',
  address: 'pdm://documents/PRT-000001@A',
  resolution: { label: 'A', n: 2, obsolete: false },
  outdated: false,
  outdatedBelow: false,
  reason: null,
};
const issueTexts = (
  line: typeof LINE | (Omit<typeof LINE, 'resolution' | 'reason'> & { resolution: null; reason: string | null }),
) => issuesOf(line).map(({ text }) => text);

describe('BOM lines', () => {
  it.each([
    ['pdm://documents/PRT-1', 'floating'],
    ['pdm://documents/PRT-1@A', 'revision'],
    ['pdm://documents/PRT-1@AB', 'revision'],
    ['pdm://documents/PRT-1@v', 'revision'],
    ['pdm://documents/PRT-1@v12', 'version'],
  ])('%s is a %s reference', (address, pointing) => expect(referenceTypeOf(address)).toBe(pointing));

  it('labels releases by revision and version, versions by number, drafts by workspace', () => {
    expect(resolvedLabel({ label: 'B', n: 3, obsolete: false })).toBe('Rev B · v3');
    expect(resolvedLabel({ label: null, n: 3, obsolete: false })).toBe('v3');
    expect(versionLabel({ type: 'draft', n: null, releasedAs: null, workspace: { name: 'main' } })).toBe(
      'Draft in main',
    );
    expect(versionLabel({ type: 'version', n: 4, releasedAs: { label: 'C' }, workspace: { name: 'main' } })).toBe(
      'Rev C · v4',
    );
  });

  it('returns the issues of a line, "outdated" instead of "contains outdated"', () => {
    expect(issueTexts(LINE)).toEqual([]);
    expect(issueTexts({ ...LINE, outdated: true, outdatedBelow: true })).toEqual(['outdated']);
    expect(issueTexts({ ...LINE, outdatedBelow: true })).toEqual(['contains outdated']);
    expect(issueTexts({ ...LINE, outdated: true, resolution: { ...LINE.resolution, obsolete: true } })).toEqual([
      'obsolete',
      'outdated',
    ]);
    expect(issuesOf({ ...LINE, resolution: null, reason: 'there is no such document' })).toMatchObject([
      { text: 'unresolved', tooltip: 'there is no such document' },
    ]);
  });

  it('matches lines by words of number, name or address, in any order', () => {
    expect(textFilter('  ')).toBeNull();
    expect(textFilter('m8 bolt')?.(LINE)).toBe(true);
    expect(textFilter('prt-000001')?.(LINE)).toBe(true);
    expect(textFilter('bolt m10')?.(LINE)).toBe(false);
    expect(textFilter('nut')?.({ ...LINE, name: null, number: null, address: 'pdm://documents/NUT-1' })).toBe(true);
  });

  it('counts lines with issues', () => {
    expect(
      countIssues([LINE, { ...LINE, outdated: true }, { ...LINE, resolution: null }, { ...LINE, outdatedBelow: true }]),
    ).toEqual({
      outdated: 1,
      obsolete: 0,
      unresolved: 1,
    });
  });
});
