import { createHash } from 'node:crypto';
import type { Api, Json } from './api.ts';
import type { DemoFile } from './files.ts';

export type Say = (line: string) => void;

const MINUTES = 5 * 60_000;
const UNFINISHED = ['waiting', 'running'];

/** Uploads a file, waits for the job that it queues, and says what the engine found. */
export async function uploadAndWait(
  api: Api,
  draftId: string,
  file: DemoFile,
  say: Say,
  kind = 'source',
): Promise<void> {
  const artifact = await api.upload(draftId, kind, file.fileName, file.content);
  if (artifact.sha256 !== hashOf(file)) throw new Error(`${file.fileName} did not arrive as it was sent.`);
  say(
    `Uploaded ${file.fileName} (${file.content.length.toLocaleString('en')} bytes, SHA-256 ${artifact.sha256.slice(0, 12)}…)  ${api.address}/artifacts/${artifact.id}`,
  );

  const job = await finished(api, artifact.jobId, say);
  if (job.status !== 'done')
    throw new Error(`The job ${job.id} is ${job.status}: ${job.error?.message ?? 'no reason given'}`);
  const files = (await api.get(`/versions/${draftId}/artifacts`)).items;
  for (const expected of ['glb', 'properties', 'thumbnail'])
    if (!files.some((made: Json) => made.kind === expected && !made.stale))
      throw new Error(`The engine made no ${expected}.`);
  const properties = JSON.parse(
    Buffer.from(await api.download(`/versions/${draftId}/artifacts/properties/file`)).toString(),
  );
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
    const state =
      job.progress && job.status === 'running'
        ? `${job.status} ${job.progress.percent} % ${job.progress.step}`
        : job.status;
    if (state !== shown) say(`  job ${job.type}: ${state}  ${api.address}/jobs/${jobId}`);
    shown = state;
    if (!UNFINISHED.includes(job.status)) return job;
    if (Date.now() > until)
      throw new Error(`The job ${jobId} is still ${job.status} after five minutes. Is the scheduler running?`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Makes a version of the draft of the main workspace. */
export async function makeVersion(api: Api, documentId: string, comment: string, say: Say): Promise<Json> {
  const { workspaces } = await api.get(`/documents/${documentId}`);
  const version = await api.post(`/workspaces/${workspaces[0].id}/versions`, { comment });
  say(`Version ${version.name} "${comment}"  ${api.address}/versions/${version.id}`);
  return version;
}

/** The SHA-256 of a file, as the service tells it. */
export function hashOf({ content }: DemoFile): string {
  return createHash('sha256').update(content).digest('hex');
}
