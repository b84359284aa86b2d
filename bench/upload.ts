// Memory while a large file goes through an operation, in one process and to a subgraph behind HTTP. Run by `node
// launch.mjs bench/upload.ts`; prints by how much the process grew (both ends of the connection are in it). Aim: under
// 60 MB.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { parse } from 'graphql';
import { pino } from 'pino';
import { compose } from '../gateway/compose.ts';
import { createGateway, type GatewayOptions } from '../gateway/gateway.ts';
import { createSubgraphServer } from '../gateway/sources/subgraph-server.ts';
import { NOBODY, sampleSubgraphs } from '../gateway/testing/sample.ts';
import { uploadOf } from '../http/request/upload.ts';

const MEGABYTE = 1 << 20;
const SIZE = 500;
const AIM = 60;

const log = pino({ level: 'silent' });
const key = Buffer.alloc(32, 1);
const subgraphs = sampleSubgraphs();
const { supergraphSdl } = compose(subgraphs);
const artifacts = subgraphs.find(({ name }) => name === 'artifacts')!;
const server = createSubgraphServer({ subgraph: artifacts, keys: [key], log });
const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}/graphql`;

await run('in one process', subgraphs);
await run('split', [...subgraphs.filter((subgraph) => subgraph !== artifacts), { name: 'artifacts', url }]);
await server.close();

async function run(where: string, among: GatewayOptions['subgraphs']): Promise<void> {
  const gateway = await createGateway({ subgraphs: among, supergraphSdl, key, log });
  const upload = gateway.prepare(
    parse('mutation Upload($f: Upload!) { uploadArtifact(versionId: "v1", file: $f) { size sha256 } }'),
  );
  const send = async (megabytes: number): Promise<number> => {
    const before = process.memoryUsage.rss();
    const seen = { most: before, hash: createHash('sha256') };
    const file = uploadOf(Readable.from(bytes(megabytes, seen), { objectMode: false }), {
      filename: 'big.stp',
      mimetype: 'model/step',
    });
    const { data, errors } = await gateway.execute(
      upload,
      { f: file },
      { actor: NOBODY, requestId: 'bench', signal: new AbortController().signal },
    );
    assert.equal(errors, undefined);
    assert.deepEqual(data, { uploadArtifact: { size: megabytes * MEGABYTE, sha256: seen.hash.digest('hex') } });
    return seen.most - before;
  };
  await send(50); // the code is compiled and the heap has its size
  const rise = (await send(SIZE)) / MEGABYTE;
  console.log(
    `${SIZE} MB ${where}: memory rose by ${rise.toFixed(0)} MB, aim under ${AIM}${rise > AIM ? ': MISSED' : ''}`,
  );
  await gateway.close();
}

async function* bytes(
  megabytes: number,
  seen: { most: number; hash: ReturnType<typeof createHash> },
): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < megabytes * 16; sent++) {
    const chunk = Buffer.alloc(MEGABYTE / 16, sent);
    seen.hash.update(chunk);
    seen.most = Math.max(seen.most, process.memoryUsage.rss());
    yield chunk;
  }
}
