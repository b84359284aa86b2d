import { createHash } from 'node:crypto';
import type { Api, Json } from './api.ts';
import type { DemoFile } from './files.ts';

type Say = (line: string) => void;

const MINUTES = 5 * 60_000;
const UNFINISHED = ['waiting', 'running'];

/**
 * The main job from end to end: a folder, a model, a file and what the engine made of it, a version, a change and a second version,
 * a branch, the history. Says each step with a link; throws when a step does not hold.
 */
export async function playStory(
  api: Api,
  [first, second]: readonly [DemoFile, DemoFile],
  say: Say,
): Promise<{ document: Json; versions: Json[]; branch: Json; audit: Json[] }> {
  const link = (path: string) => `${api.address}${path}`;

  const folder = await api.post('/folders', { name: `Demo ${new Date().toISOString().slice(0, 19).replace('T', ' ')}` });
  say(`Folder "${folder.name}"  ${link(`/folders/${folder.id}`)}`);
  const model = await api.post('/documents', {
    name: first.fileName.replace(/\.\w+$/, ''),
    kind: 'model',
    folderId: folder.id,
    description: 'Made by npm run demo',
  });
  const { id: draftId } = (await api.get(`/documents/${model.id}`)).drafts[0];
  say(`Model ${model.number} "${model.name}" with an empty draft  ${link(`/documents/${model.number}`)}`);

  await uploadAndWait(api, draftId, first, say);
  const v1 = await makeVersion(api, model.id, 'As received', say);

  await uploadAndWait(api, draftId, second, say);
  const v2 = await makeVersion(api, model.id, 'Changed', say);
  await showDifference(api, v1, v2, say);

  const branch = await api.post(`/documents/${model.id}/workspaces`, {
    name: 'what-if',
    fromVersionId: v1.id,
    description: 'Back to the first state',
  });
  const [source] = (await api.get(`/versions/${branch.draftId}/artifacts`)).items.filter(({ kind }: Json) => kind === 'source');
  if (source?.sha256 !== hashOf(first)) throw new Error('The branch does not hold the file of the version it was made from.');
  say(
    `Branch "${branch.name}" from ${v1.name}; its draft holds ${source.fileName} again, without a copied byte  ${link(`/workspaces/${branch.id}`)}`,
  );

  const { items: audit } = await api.get(`/documents/${model.id}/audit?limit=200`);
  say(`History  ${link(`/documents/${model.number}/audit`)}`);
  for (const { at, by, summary } of [...audit].reverse()) say(`  ${at.slice(11, 19)}  ${by.name.padEnd(15)}  ${summary}`);
  return { document: await api.get(`/documents/${model.id}`), versions: [v1, v2], branch, audit };
}

async function uploadAndWait(api: Api, draftId: string, file: DemoFile, say: Say): Promise<void> {
  const artifact = await api.upload(draftId, 'source', file.fileName, file.content);
  if (artifact.sha256 !== hashOf(file)) throw new Error(`${file.fileName} did not arrive as it was sent.`);
  say(
    `Uploaded ${file.fileName} (${file.content.length.toLocaleString('en')} bytes, SHA-256 ${artifact.sha256.slice(0, 12)}…)  ${api.address}/artifacts/${artifact.id}`,
  );

  const job = await finished(api, artifact.jobId, say);
  if (job.status !== 'done') throw new Error(`The job ${job.id} is ${job.status}: ${job.error?.message ?? 'no reason given'}`);
  const files = (await api.get(`/versions/${draftId}/artifacts`)).items;
  for (const kind of ['glb', 'properties', 'thumbnail'])
    if (!files.some((made: Json) => made.kind === kind && !made.stale)) throw new Error(`The engine made no ${kind}.`);
  const properties = JSON.parse(Buffer.from(await api.download(`/versions/${draftId}/artifacts/properties/file`)).toString());
  const [x, y, z] = properties.boundingBox.size.map((size: number) => Math.round(size * 1000) / 1000);
  say(
    `  the engine found ${properties.solids} solids, ${properties.faces} faces, ${x} × ${y} × ${z} mm, ${Math.round(properties.volume).toLocaleString('en')} mm³`,
  );
  say(`  picture  ${api.address}/versions/${draftId}/artifacts/thumbnail/file`);
}

async function finished(api: Api, jobId: string, say: Say): Promise<Json> {
  const until = Date.now() + MINUTES;
  let shown = '';
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    const state = job.progress && job.status === 'running' ? `${job.status} ${job.progress.percent} % ${job.progress.step}` : job.status;
    if (state !== shown) say(`  job ${job.type}: ${state}  ${api.address}/jobs/${jobId}`);
    shown = state;
    if (!UNFINISHED.includes(job.status)) return job;
    if (Date.now() > until) throw new Error(`The job ${jobId} is still ${job.status} after five minutes. Is the scheduler running?`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

async function makeVersion(api: Api, documentId: string, comment: string, say: Say): Promise<Json> {
  const { workspaces } = await api.get(`/documents/${documentId}`);
  const version = await api.post(`/workspaces/${workspaces[0].id}/versions`, { comment });
  say(`Version ${version.name} "${comment}"  ${api.address}/versions/${version.id}`);
  return version;
}

async function showDifference(api: Api, before: Json, after: Json, say: Say): Promise<void> {
  const source = async (version: Json) => (await api.get(`/versions/${version.id}/artifacts`)).items.find(({ kind }: Json) => kind === 'source');
  const [old, fresh] = [await source(before), await source(after)];
  if (old.sha256 === fresh.sha256) throw new Error('The two versions hold the same file.');
  say(`  ${before.name} still holds ${old.fileName}, ${after.name} holds ${fresh.fileName}`);
}

function hashOf({ content }: DemoFile): string {
  return createHash('sha256').update(content).digest('hex');
}
