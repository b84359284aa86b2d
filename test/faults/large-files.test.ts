import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../support/client.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const MEGABYTES = Number(process.env.PDM_TEST_LARGE_FILE_MB ?? 500);
const MiB = 2 ** 20;

const dataDir = mkdtempSync(join(tmpdir(), 'pdm-large-'));
let service: ServiceProcess;
beforeAll(async () => {
  service = await startProcess(dataDir, { PDM_ROLES: 'store,api' });
});
afterAll(async () => {
  await service.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

test(`transfers ${MEGABYTES} MB both ways unchanged with constant memory`, { timeout: 240_000 }, async () => {
  const api = client(`${service.url}/api/v1`, service.token());
  const { id } = (await api.post('/documents', { name: 'Large', kind: 'model' })).body;
  const draftId = (await api.get(`/documents/${id}`)).body.drafts[0].id;
  // The first upload reaches the memory that uncollected garbage takes for any file.
  const small = watchMemory();
  await api.upload(draftId, 'attachment.warm', randomBytes(128 * MiB));
  const before = small.stop();
  const memory = watchMemory();

  const sent = createHash('sha256');
  const response = await fetch(`${service.url}/api/v1/versions/${draftId}/artifacts?kind=attachment.scan`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.token()}`,
      'x-file-name': 'scan.bin',
      'content-type': 'application/octet-stream',
    },
    body: Readable.toWeb(Readable.from(randomChunks(sent))),
    duplex: 'half',
  } as RequestInit);
  const artifact = (await response.json()) as { id: string; sha256: string; size: number };
  expect(artifact).toMatchObject({ size: MEGABYTES * MiB, sha256: sent.digest('hex') });

  const received = createHash('sha256');
  const download = await fetch(`${service.url}/api/v1/artifacts/${artifact.id}/file`, {
    headers: { authorization: `Bearer ${service.token()}` },
  });
  for await (const chunk of download.body ?? []) received.update(chunk);
  expect(received.digest('hex')).toBe(artifact.sha256);
  // Garbage varies by 150 MiB between runs; a service that buffers files grows by at least the size of this one.
  expect(memory.stop() - before).toBeLessThan(MEGABYTES / 2);
});

async function* randomChunks(hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  const seed = randomBytes(MiB);
  for (let i = 0; i < MEGABYTES; i++) {
    seed.writeUInt32LE(i);
    hash.update(seed);
    yield new Uint8Array(seed);
  }
}

// resident memory of the process of the service; the store runs in another one
function residentMiB(): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
}

function watchMemory(): { stop(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB());
  }, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}
