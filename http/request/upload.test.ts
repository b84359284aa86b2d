import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { extractFiles, multipartBody } from '../../gateway/sources/multipart.ts';
import { createUpload, drain, limitBytes } from './upload.ts';

const meta = { filename: 'part.stp', mimetype: 'model/step' };
const tooLarge = expect.objectContaining({ code: 'file_too_large' });

describe('an upload', () => {
  it('provides the bytes of its body, readable once', async () => {
    const { createReadStream, filename, mimetype } = await createUpload(Readable.from(['abc', 'def']), meta).promise;
    expect({ filename, mimetype }).toEqual(meta);
    expect(await text(createReadStream())).toBe('abcdef');
    expect(() => createReadStream()).toThrow('once');
  });

  it('fails with file_too_large at the first excess byte and keeps the request open for the response', async () => {
    const body = new PassThrough();
    const reading = text(limitBytes(body, 5));
    body.write('abcdef');
    await expect(reading).rejects.toEqual(tooLarge);
    expect(body.destroyed).toBe(false);
    expect(body.listenerCount('data')).toBe(0);
  });

  it('accepts exactly the maximum number of bytes', async () => {
    expect(await text(limitBytes(Readable.from(['abc', 'de']), 5))).toBe('abcde');
  });

  it('passes a disconnect of the client on to the reader', async () => {
    const body = new PassThrough();
    const reading = text(limitBytes(body, 100));
    body.write('abc');
    body.destroy();
    await expect(reading).rejects.toThrow('Premature close');
  });

  it('does not end the process when it fails unread', async () => {
    const upload = createUpload(Readable.from([]), meta);
    expect(await upload.promise).toBeDefined();
  });
});

describe('drain', () => {
  it('discards bytes up to a limit, then destroys the stream', async () => {
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
  it('contains null for the file in the operation, its path in the map, then the bytes', async () => {
    const files: Parameters<typeof multipartBody>[2][number][] = [];
    const file = createUpload(Readable.from(['solid']), {
      filename: 'größe "1"\r\n.stp',
      mimetype: 'model/step\r\nx-evil: 1',
    });
    const variables = extractFiles({ versionId: 'v1', nested: { file, at: new Date(0) } }, 'variables', files);
    expect(variables).toEqual({ versionId: 'v1', nested: { file: null, at: new Date(0) } });
    const body = await text(Readable.from(multipartBody('B', '{"query":"…"}', files)));
    expect(body).toContain('{"0":["variables.nested.file"]}');
    expect(body).toContain(
      'filename="gr%C3%B6%C3%9Fe%20%221%22%0D%0A.stp"\r\ncontent-type: model/stepx-evil: 1\r\n\r\nsolid\r\n--B--',
    );
  });
});
