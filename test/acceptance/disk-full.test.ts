import { randomBytes } from 'node:crypto';
// A full data disk; requires the permission to mount a small file system.
import { join } from 'node:path';
import { ObjectId } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { collection } from '../../subgraphs/core/store/query/scope.ts';
import { violatedInvariants } from '../support/invariants.ts';
import { needs } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import { smallDisk } from '../support/small-disk.ts';

const disk = process.env.MONGODB_URL || process.env.PDM_TEST_SPLIT ? undefined : smallDisk(256);
let pdm: Pdm;

const mount = needs('root', disk !== undefined);
describe.skipIf(mount.isMissing)(mount.title('a service with a full disk'), () => {
  beforeAll(async () => {
    pdm = await startPdm({ settings: { PDM_DATA_DIR: join(disk!.folder, 'data') } });
  });
  afterAll(() => pdm.close().finally(() => disk!.remove()));

  test('rejects writes with storage_full but serves reads, and accepts writes after space is freed', async () => {
    const { id, drafts } = (await pdm.editor.post('/documents', { name: 'Part', kind: 'model' })).body;
    const draft = drafts[0].id as string;
    const content = randomBytes(1_000_000);
    expect((await pdm.editor.upload(draft, 'source', content)).status).toBe(201);

    disk!.fill();
    const refusal = { status: 507, body: { code: 'storage_full' } };
    const sent = Array.from({ length: 5 }, (_, n) =>
      pdm.editor.upload(draft, `attachment.a${n}`, randomBytes(2_000_000)),
    );
    for (const response of await Promise.all(sent)) expect(response).toMatchObject(refusal);
    expect(await pdm.editor.post('/documents', { name: 'Another', kind: 'model' })).toMatchObject(refusal);
    expect((await pdm.viewer.get(`/documents/${id}`)).status).toBe(200);
    expect((await pdm.viewer.get(`/versions/${draft}/artifacts/source/file`)).bytes.equals(content)).toBe(true);

    disk!.free();
    await vi.waitFor(
      async () => expect((await pdm.editor.upload(draft, 'attachment.after', content)).status).toBe(201),
      { timeout: 10_000 },
    );
    const scope = { db: pdm.services.mongo.db };
    // Each stored byte belongs to a blob, or to an upload that the sweep ends.
    const blobs = (
      await collection(scope, 'blobs')
        .find({ _id: { $gte: '' } })
        .toArray()
    ).map(({ fileId }) => String(fileId));
    const uploads = (
      await collection(scope, 'uploads')
        .find({ _id: { $gte: new ObjectId('0'.repeat(24)) } })
        .toArray()
    ).map(({ _id }) => String(_id));
    const stored = await scope.db.collection('files.chunks').distinct('files_id');
    expect(stored.map(String).filter((fileId) => ![...blobs, ...uploads].includes(fileId))).toEqual([]);
    expect(await violatedInvariants(scope)).toEqual([]);
  });
});
