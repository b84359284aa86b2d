import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { createUpload } from '../../http/request/upload.ts';
import { createRecording, type Recording, sampleSubgraphs, VIEWER } from '../testing/sample.ts';
import { createRecordingLog, createRequest, createSampleGateway, KEY } from '../testing/sample-gateway.ts';
import { IDENTITY_HEADER, sealIdentity } from './identity.ts';
import { createSubgraphServer } from './subgraph-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function served(
  name: string,
  recording: Recording = createRecording(),
  port = 0,
): Promise<{ server: FastifyInstance; url: string; recording: Recording }> {
  const subgraph = sampleSubgraphs(recording).find((candidate) => candidate.name === name)!;
  const server = createSubgraphServer({ subgraph, keys: [KEY], log: createRecordingLog().log });
  closing.push(() => server.close());
  const origin = await server.listen({ port, host: '127.0.0.1' });
  return { server, url: `${origin}/graphql`, recording };
}

async function splitGateway(recording: Recording = createRecording()) {
  const subgraphs = await Promise.all(
    ['documents', 'versioning', 'artifacts'].map(async (name) => ({ name, url: (await served(name, recording)).url })),
  );
  const split = await createSampleGateway({ subgraphs });
  closing.push(() => split.gateway.close());
  return { ...split, recording };
}

describe('a subgraph in a separate process', () => {
  it('returns the same as in one process', async () => {
    const query =
      'query Q { who version(id: "v2") { bom { version { n document { name parameters } artifacts { fileName } } } } }';
    const refused = 'mutation M { takeOver(workspaceId: "w", versionId: "v") { n } }';
    const invalid = 'mutation M { uploadArtifact(versionId: "v", file: "x") { id } }';
    const local = await createSampleGateway();
    const split = await splitGateway();
    for (const text of [query, refused])
      expect(JSON.stringify(await split.ask(text))).toBe(JSON.stringify(await local.ask(text)));
    await expect(split.ask(invalid)).resolves.toMatchObject({ errors: [expect.anything()] });
  });

  it('returns 401 without a sealed identity before it executes anything', async () => {
    const { server, recording } = await served('documents');
    for (const query of [
      '{ document(id: "d1") { name } }',
      '{ _service { sdl } }',
      '{ _entities(representations: [{ __typename: "Document", id: "d1" }]) { __typename } }',
    ]) {
      const response = await server.inject({ method: 'POST', url: '/graphql', payload: { query } });
      expect(response.statusCode).toBe(401);
      expect(response.json().errors[0].extensions.code).toBe('unauthenticated');
    }
    const body = JSON.stringify({ query: '{ document(id: "d1") { name } }' });
    const headers = {
      'content-type': 'application/json',
      [IDENTITY_HEADER]: sealIdentity(KEY, { actor: VIEWER, requestId: 'r' }, 'documents', body),
    };
    expect((await server.inject({ method: 'POST', url: '/graphql', headers, payload: body })).json()).toEqual({
      data: { document: { name: 'Bracket d1' } },
    });
    expect(
      (await server.inject({ method: 'POST', url: '/graphql', headers, payload: body.replace('d1', 'd2') })).statusCode,
    ).toBe(401);
    expect(recording.contexts).toEqual(['documents']);
  });

  it('rejects a multipart request with another operation than the sealed one', async () => {
    const { server, recording } = await served('artifacts');
    const sealed = JSON.stringify({
      query: 'mutation { uploadArtifact(versionId: "v1", file: $f) { id } }',
      variables: { f: null },
    });
    const sent = sealed.replace('v1', 'v2');
    const payload = `--B\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${sent}\r\n--B\r\ncontent-disposition: form-data; name="map"\r\n\r\n{"0":["variables.f"]}\r\n--B\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\nx\r\n--B--\r\n`;
    const headers = {
      'content-type': 'multipart/form-data; boundary=B',
      [IDENTITY_HEADER]: sealIdentity(KEY, { actor: VIEWER, requestId: 'r' }, 'artifacts', sealed),
    };
    expect((await server.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode).toBe(401);
    expect(recording.contexts).toEqual([]);
  });

  it('reports an unreachable subgraph as unavailable, without its address, until it is back', async () => {
    const { server, url } = await served('artifacts');
    await server.close();
    const { gateway, ask, lines } = await createSampleGateway({
      subgraphs: [...sampleSubgraphs().slice(0, 2), { name: 'artifacts', url }],
    });
    closing.push(() => gateway.close());
    const query =
      'query Q { version(id: "v1") { n document { name } } files: version(id: "v1") { artifacts { size } } }';
    const { data, errors } = await ask(query);
    expect(data).toEqual({ version: { n: 1, document: { name: 'Bracket d1' } }, files: null });
    expect(errors?.[0]?.extensions).toEqual({ code: 'unavailable', part: 'artifacts' });
    expect(JSON.stringify(errors)).not.toMatch(/ECONNREFUSED|127\.0\.0\.1/);
    expect(lines.join()).toContain('ECONNREFUSED');
    await served('artifacts', createRecording(), Number(new URL(url).port));
    expect((await ask(query)).data).toMatchObject({ files: { artifacts: [{ size: 12 }] } });
  });

  it('aborts the request to a subgraph when the client disconnects', async () => {
    const { ask, recording } = await splitGateway();
    const client = new AbortController();
    const response = ask('query Q { slow }', {}, { signal: client.signal });
    await expect.poll(() => recording.signals.length).toBe(1);
    client.abort();
    expect((await response).errors?.[0]?.extensions.code).toBe('client_left');
    await expect.poll(() => recording.aborted.length).toBe(1);
  });

  it('serves health checks without a token', async () => {
    const { server } = await served('documents');
    expect((await server.inject('/health')).json()).toEqual({ status: 'ok' });
  });
});

const UPLOAD = parse(
  'mutation Upload($v: ID!, $f: Upload!) { uploadArtifact(versionId: $v, file: $f) { fileName size sha256 } }',
);

describe.each(['in one process', 'split'])('a file, %s', (where) => {
  const createGateway = async () => (where === 'split' ? splitGateway() : createSampleGateway());

  it('stores the complete file under its name', async () => {
    const { gateway } = await createGateway();
    const bytes = randomBytes(3 << 20);
    const file = createUpload(Readable.from([bytes.subarray(0, 1 << 20), bytes.subarray(1 << 20)]), {
      filename: 'Größe "1".stp',
      mimetype: 'model/step',
    });
    const { data, errors } = await gateway.execute(gateway.prepare(UPLOAD), { v: 'v1', f: file }, createRequest());
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      uploadArtifact: {
        fileName: 'Größe "1".stp',
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    });
  });

  it('allows an upload to exceed the usual time limit', async () => {
    const { gateway } =
      where === 'split' ? await createGateway() : await createSampleGateway({ limits: { milliseconds: 5 } });
    const slow = Readable.from(
      (async function* () {
        for (let part = 0; part < 5; part++) {
          await new Promise((done) => setTimeout(done, 5));
          yield 'part';
        }
      })(),
    );
    const { data } = await gateway.execute(
      gateway.prepare(UPLOAD),
      { v: 'v1', f: createUpload(slow, { filename: 'a', mimetype: 'b/c' }) },
      createRequest(),
    );
    expect(data).toMatchObject({ uploadArtifact: { size: 20 } });
  });

  it('rejects a file with file_too_large during the upload', async () => {
    const { gateway } = await createGateway();
    const file = createUpload(Readable.from(endless()), { filename: 'a', mimetype: 'b/c', maxBytes: 1 << 20 });
    const { errors } = await gateway.execute(gateway.prepare(UPLOAD), { v: 'v1', f: file }, createRequest());
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'file_too_large', maxBytes: 1 << 20 });
  });

  it('returns the error when a file is rejected before it is read', async () => {
    const { gateway } = await createGateway();
    const { errors } = await gateway.execute(
      gateway.prepare(UPLOAD),
      { v: 'refused', f: createUpload(Readable.from(endless()), { filename: 'a', mimetype: 'b/c' }) },
      createRequest(),
    );
    expect(errors?.[0]?.extensions.code).toBe('workspace_reserved');
  });
});

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}
