import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { multipartBody, withoutFiles } from '../../gateway/sources/multipart.ts';
import { atMost, drain, uploadOf } from './upload.ts';

const meta = { filename: 'part.stp', mimetype: 'model/step' };
const tooLarge = expect.objectContaining({ code: 'file_too_large' });

describe('an upload', () => {
  it('is the bytes of its body, read once', async () => {
    const { createReadStream, filename, mimetype } = await uploadOf(Readable.from(['abc', 'def']), meta).promise;
    expect({ filename, mimetype }).toEqual(meta);
    expect(await text(createReadStream())).toBe('abcdef');
    expect(() => createReadStream()).toThrow('once');
  });

  it('fails with file_too_large as soon as a byte too many comes, and lets the request live to be answered', async () => {
    const body = new PassThrough();
    const reading = text(atMost(body, 5));
    body.write('abcdef');
    await expect(reading).rejects.toEqual(tooLarge);
    expect(body.destroyed).toBe(false);
    expect(body.listenerCount('data')).toBe(0);
  });

  it('may have exactly as many bytes as are allowed', async () => {
    expect(await text(atMost(Readable.from(['abc', 'de']), 5))).toBe('abcde');
  });

  it('tells the reader when the client breaks off: what was stored so far can be deleted', async () => {
    const body = new PassThrough();
    const reading = text(atMost(body, 100));
    body.write('abc');
    body.destroy();
    await expect(reading).rejects.toThrow('Premature close');
  });

  it('that nobody reads and that fails ends no process', async () => {
    const upload = uploadOf(Readable.from([]), meta);
    expect(await upload.promise).toBeDefined();
  });
});

describe('a client that is refused while it sends', () => {
  it('is listened to up to a bound, then cut off', async () => {
    const body = new PassThrough();
    drain(body, 10);
    body.write('12345');
    body.write('67890');
    await new Promise(setImmediate);
    expect(body.destroyed).toBe(false);
    body.write('x');
    await expect.poll(() => body.destroyed).toBe(true);
  });
});

describe('the multipart body for a subgraph', () => {
  it('has null for the file in the operation, its place in the map, and the bytes behind', async () => {
    const files: Parameters<typeof multipartBody>[2][number][] = [];
    const file = uploadOf(Readable.from(['solid']), {
      filename: 'größe "1"\r\n.stp',
      mimetype: 'model/step\r\nx-evil: 1',
    });
    const variables = withoutFiles({ versionId: 'v1', nested: { file, at: new Date(0) } }, 'variables', files);
    expect(variables).toEqual({ versionId: 'v1', nested: { file: null, at: new Date(0) } });
    const written = await text(Readable.from(multipartBody('B', '{"query":"…"}', files)));
    expect(written).toContain('{"0":["variables.nested.file"]}');
    expect(written).toContain(
      'filename="gr%C3%B6%C3%9Fe%20%221%22%0D%0A.stp"\r\ncontent-type: model/stepx-evil: 1\r\n\r\nsolid\r\n--B--',
    );
  });
});
