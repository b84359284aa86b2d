import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { folderPathOf, setFolderPath } from './file-drop.ts';
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

test('STEP files are found by encoded names, names without an extension and the name of a document', async () => {
  const main = step(
    "#1=DOCUMENT_FILE('gr\\X2\\00F600DF\\X0\\e.stp','',$,$,'',$);#2=DOCUMENT_FILE('12','rod',$,$,'',$);#3=(DOCUMENT('14','it''s.stp',$,$)DOCUMENT_FILE('',$));",
  );
  const files = [
    file('pump.stp', main),
    file('gro\u0308ße.stp', step('')),
    file('rod.stp', step('')),
    file("it's.stp", step('')),
  ];
  expect(names(await packStepFiles(files))).toEqual(['pump.step.zip']);
});

test('STEP files without references stay files of their own', async () => {
  const files = [file('a.stp', step('')), file('b.stp', refers('c.stp'))];
  expect(await packStepFiles(files)).toEqual(files);
});

describe('STEP files in folders', () => {
  const fileIn = (folder: string, name: string, content = step('')) => setFolderPath(file(name, content), folder);
  const pathOf = (each: File) => `${folderPathOf(each)}/${each.name}`;
  const entriesOf = async (archive: File) => Object.keys(unzipSync(new Uint8Array(await archive.arrayBuffer())));

  test('are packed with the file of the same name in their own folder', async () => {
    const [one, other] = [refers('C:\\\\x\\\\rod.stp'), refers('rod.stp')];
    const files = [
      fileIn('old', 'rod.stp', step('#1=OLD();')),
      fileIn('old', 'pump.stp', one),
      fileIn('new', 'pump.stp', other),
      fileIn('new', 'rod.stp', step('#1=NEW();')),
    ];
    const packed = await packStepFiles(files);
    expect(packed.map(pathOf)).toEqual(['old/pump.step.zip', 'new/pump.step.zip']);
    expect(await Promise.all(packed.map(entriesOf))).toEqual([
      ['pump.stp', 'rod.stp'],
      ['pump.stp', 'rod.stp'],
    ]);
    const texts = packed.map(async (each) =>
      new TextDecoder().decode(unzipSync(new Uint8Array(await each.arrayBuffer()))['rod.stp']),
    );
    expect(await Promise.all(texts)).toEqual([expect.stringContaining('OLD'), expect.stringContaining('NEW')]);
  });

  test('are packed with the path that a reference names, relative to the shared folder', async () => {
    const files = [
      fileIn('machine/pumps', 'pump.stp', refers('parts\\\\rod.stp', 'screw.stp')),
      fileIn('machine/pumps/parts', 'rod.stp'),
      fileIn('machine/other/parts', 'rod.stp'),
      fileIn('machine/screws', 'screw.stp'),
    ];
    const packed = await packStepFiles(files);
    expect(packed.map(pathOf)).toEqual(['machine/other/parts/rod.stp', 'machine/pumps/pump.step.zip']);
    expect(await entriesOf(packed[1]!)).toEqual(['pumps/pump.stp', 'pumps/parts/rod.stp', 'screws/screw.stp']);
  });

  test('are not packed if the referenced name exists in several other folders', async () => {
    const files = [fileIn('a', 'pump.stp', refers('rod.stp')), fileIn('b', 'rod.stp'), fileIn('c', 'rod.stp')];
    expect(await packStepFiles(files)).toEqual(files);
  });
});
