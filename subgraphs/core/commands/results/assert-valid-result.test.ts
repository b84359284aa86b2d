import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { boxModel } from '../../../../test/support/box-model.ts';
import { glbOf, pngOf, resultFile } from '../../../../test/support/result-files.ts';
import { assertValidResult, resultInMemory } from './assert-valid-result.ts';

const validate = (kind: string, bytes: Buffer) => assertValidResult(resultInMemory(kind, bytes));
const refused = (...messages: (string | RegExp)[]) => ({
  code: 'invalid_result',
  details: { errors: messages.map((message) => expect.objectContaining({ message: expect.stringMatching(message) })) },
});
const properties = (value: unknown) => validate('properties', Buffer.from(JSON.stringify(value)));

test('accepts valid files, fields of other workers and kinds that are not validated', async () => {
  for (const kind of ['glb', 'properties', 'thumbnail', 'stp'])
    expect(await validate(kind, resultFile(kind, 'é'))).toBe(true);
  expect(await properties({})).toBe(true);
  expect(
    await properties({
      volume: null,
      boundingBox: { size: [1, 2, 3], odd: 1 },
      warnings: ['a', { message: 'b' }],
      mine: [{}],
    }),
  ).toBe(true);
  expect(await validate('thumbnail', pngOf(4096, 1))).toBe(true);
});

test('validates with the flags of a service process', () => {
  const script = `
    const { assertValidResult, resultInMemory } = await import('./assert-valid-result.ts');
    await assertValidResult(resultInMemory('glb', Buffer.from(process.argv[1], 'base64')));
  `;
  const glb = resultFile('glb', 'é').toString('base64');
  const flags = ['--disable-proto=throw', '--input-type=module'];
  const { stderr } = spawnSync(process.execPath, [...flags, '-e', script, glb], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
});

test('rejects a GLB with the errors of the glTF validator', async () => {
  await expect(validate('glb', Buffer.from('not a glb'))).rejects.toMatchObject(refused('is not a binary glTF file'));
  await expect(validate('glb', resultFile('glb', 'cut').subarray(0, -4))).rejects.toMatchObject(
    refused('its header says'),
  );
  await expect(
    validate(
      'glb',
      glbOf({ asset: { version: '2.0' }, scene: 3, meshes: [{ primitives: [{ attributes: { POSITION: 7 } }] }] }),
    ),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/^The glb file is not valid: \/.*UNRESOLVED_REFERENCE.*There is 1 more error\.$/),
    details: { errors: [{ path: expect.any(String) }, { path: expect.any(String) }] },
  });
});

test('checks the values in a GLB, except the length of normals', async () => {
  const glb = Buffer.from(await boxModel('Box', [{ name: 'Side', size: [7.25, 1, 1] }]));
  const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);
  floats(0).copy(glb, glb.indexOf(floats(-1, 0, 0)));
  expect(await validate('glb', glb)).toBe(true);
  floats(Number.NaN).copy(glb, glb.indexOf(floats(7.25)));
  await expect(validate('glb', glb)).rejects.toMatchObject({
    details: { errors: [{ message: expect.stringContaining('ACCESSOR_INVALID_FLOAT') }] },
  });
});

test('validates a GLB of more than 32 MiB without reading its binary data', async () => {
  const binaryBytes = 40 * 2 ** 20;
  const large = (json: object) => {
    const start = glbOf({ asset: { version: '2.0' }, ...json });
    const chunk = Buffer.alloc(8);
    chunk.writeUInt32LE(binaryBytes);
    chunk.write('BIN\0', 4, 'latin1');
    const size = start.length + chunk.length + binaryBytes;
    start.writeUInt32LE(size, 8);
    const head = Buffer.concat([start, chunk]);
    const read = async (from: number, to: number) => {
      if (to > head.length) throw new Error('reads the binary data');
      return head.subarray(from, to);
    };
    return assertValidResult({ kind: 'glb', size, read });
  };
  const bufferViews = [{ buffer: 0, byteLength: 12 }];
  expect(await large({ buffers: [{ byteLength: binaryBytes }], bufferViews })).toBe(true);
  await expect(large({ buffers: [{ byteLength: binaryBytes + 1 }], bufferViews })).rejects.toMatchObject(
    refused(`needs ${binaryBytes + 1} bytes`),
  );
  await expect(large({ buffers: [{ byteLength: 4 }], bufferViews })).rejects.toMatchObject(
    refused('BUFFER_VIEW_TOO_LONG'),
  );
});

test('rejects properties whose known fields have wrong types', async () => {
  await expect(properties([])).rejects.toMatchObject(refused('Expected "object"'));
  await expect(validate('properties', Buffer.from('{"volume": NaN}'))).rejects.toMatchObject(refused('is not JSON'));
  await expect(properties({ volume: '12', boundingBox: { min: [0, 0] }, solids: 1.5 })).rejects.toMatchObject({
    details: { errors: ['/boundingBox/min', '/volume', '/solids'].map((path) => expect.objectContaining({ path })) },
  });
});

test('rejects a thumbnail that is no PNG image, has no sensible size or is cut off', async () => {
  await expect(validate('thumbnail', Buffer.from('GIF89a'))).rejects.toMatchObject(refused('is not a PNG image'));
  for (const [width, height] of [
    [0, 1],
    [1, 4097],
  ] as const)
    await expect(validate('thumbnail', pngOf(width, height))).rejects.toMatchObject(
      refused(`${width} × ${height} pixels`),
    );
  await expect(validate('thumbnail', pngOf(1, 1).subarray(0, -1))).rejects.toMatchObject(refused('is cut off'));
});
