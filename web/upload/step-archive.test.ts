import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { entryNames, packStepFiles } from './step-archive.ts';

const step = (data: string) => `ISO-10303-21;HEADER;ENDSEC;DATA;${data}ENDSEC;END-ISO-10303-21;`;
const refers = (...names: string[]) =>
  step(names.map((name, i) => `#${i + 1} = DOCUMENT_FILE ( '${name}','',$,$,'',$);`).join(''));
const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => new File([content], name);
const zip = (name: string, entries: Record<string, string>) =>
  file(
    name,
    zipSync(
      Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, new TextEncoder().encode(text)])),
    ) as Uint8Array<ArrayBuffer>,
  );
const names = (files: readonly File[]) => files.map((each) => each.name);

describe('ZIP archives', () => {
  test.each([
    ['one STEP file', { 'pump.stp': 'x', 'readme.txt': 'x', '__MACOSX/._pump.stp': 'x' }, 'set.step.zip'],
    ['several STEP files', { 'a/pump.stp': 'x', 'b/rod.STEP': 'x' }, 'set.step.zip'],
    ['other models, too', { 'pump.stp': 'x', 'pump.sldprt': 'x' }, 'set.zip'],
    ['no STEP file', { 'readme.txt': 'x', '._pump.stp': 'x' }, 'set.zip'],
    ['nothing', {}, 'set.zip'],
  ])('with %s', async (_, entries, expected) => {
    const [only] = await packStepFiles([zip('set.zip', entries)]);
    expect(only?.name).toBe(expected);
  });

  test('that are damaged, or have an extension of a model, are kept', async () => {
    const archive = zip('a.zip', { 'pump.stp': 'x' });
    const damaged = file('b.zip', (await archive.bytes()).slice(0, 60) as Uint8Array<ArrayBuffer>);
    const freecad = zip('c.fcstd.zip', { 'pump.stp': 'x' });
    expect(names(await packStepFiles([damaged, freecad]))).toEqual(['b.zip', 'c.fcstd.zip']);
    expect(await entryNames(damaged)).toEqual([]);
  });
});

test('STEP files that reference each other become one archive', async () => {
  const files = [
    file('rod.stp', step('')),
    file('Pump.stp', `${' '.repeat(200_000)}${refers('C:\\\\parts\\\\ROD.stp', 'sub.stp', 'missing.stp')}`),
    file('sub.stp', refers('screw.step')),
    file('screw.step', step('')),
    file('alone.stp', step('')),
    file('notes.txt', 'x'),
  ];
  const packed = await packStepFiles(files);
  expect(names(packed)).toEqual(['alone.stp', 'notes.txt', 'Pump.step.zip']);
  const entries = unzipSync(new Uint8Array(await packed[2]!.arrayBuffer()));
  expect(Object.keys(entries)).toEqual(['Pump.stp', 'rod.stp', 'sub.stp', 'screw.step']);
  expect(await entryNames(packed[2]!)).toEqual(Object.keys(entries));
});

test('STEP files without references stay files of their own', async () => {
  const files = [file('a.stp', step('')), file('b.stp', refers('c.stp'))];
  expect(await packStepFiles(files)).toEqual(files);
});
