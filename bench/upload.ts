// Memory growth while a large file is uploaded through the gateway, to a subgraph in the same process and over HTTP
// (client and server are measured together). Run: `node launch.mjs bench/upload.ts`. Target: < 60 MB.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { parse } from 'graphql';
import { pino } from 'pino';
import { compose } from '../gateway/compose.ts';
import { createGateway, type GatewayOptions } from '../gateway/gateway.ts';
import { createSubgraphServer } from '../gateway/sources/subgraph-server.ts';
import { sampleSubgraphs, VIEWER } from '../gateway/testing/sample.ts';
import { createUpload } from '../http/request/upload.ts';

const MEGABYTE = 1 << 20;
const SIZE_MB = 500;
const TARGET_MB = 60;

const log = pino({ level: 'silent' });
const key = Buffer.alloc(32, 1);
const subgraphs = sampleSubgraphs();
const { supergraphSdl } = compose(subgraphs);
const artifacts = subgraphs.find(({ name }) => name === 'artifacts')!;
const server = createSubgraphServer({ subgraph: artifacts, keys: [key], log });
const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/graphql`;

await run('in one process', subgraphs);
await run('over HTTP', [...subgraphs.filter((subgraph) => subgraph !== artifacts), { name: 'artifacts', url }]);
await server.close();

async function run(mode: string, subgraphs: GatewayOptions['subgraphs']): Promise<void> {
  const gateway = await createGateway({ subgraphs, supergraphSdl, key, log });
  const upload = gateway.prepare(
    parse('mutation Upload($f: Upload!) { uploadArtifact(versionId: "v1", file: $f) { size sha256 } }'),
  );
  const send = async (megabytes: number): Promise<number> => {
    const before = process.memoryUsage.rss();
    const progress = { peak: before, hash: createHash('sha256') };
    const file = createUpload(Readable.from(bytes(megabytes, progress), { objectMode: false }), {
      filename: 'big.stp',
      mimetype: 'model/step',
    });
    const { data, errors } = await gateway.execute(
      upload,
      { f: file },
      { actor: VIEWER, requestId: 'bench', signal: new AbortController().signal },
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data, { uploadArtifact: { size: megabytes * MEGABYTE, sha256: progress.hash.digest('hex') } });
    return progress.peak - before;
  };
  await send(50); // warm-up
  const growth = (await send(SIZE_MB)) / MEGABYTE;
  console.log(
    `${SIZE_MB} MB ${mode}: memory grew by ${growth.toFixed(0)} MB (target: < ${TARGET_MB})${growth > TARGET_MB ? ': MISSED' : ''}`,
  );
  await gateway.close();
}

async function* bytes(
  megabytes: number,
  progress: { peak: number; hash: ReturnType<typeof createHash> },
): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes * 16; sent++) {
    const chunk = Buffer.alloc(MEGABYTE / 16, sent);
    progress.hash.update(chunk);
    progress.peak = Math.max(progress.peak, process.memoryUsage.rss());
    yield chunk;
  }
}
