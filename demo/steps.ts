import { createHash } from 'node:crypto';
import type { Api, Json } from './api.ts';
import type { DemoFile } from './files.ts';

export type Print = (line: string) => void;

const JOB_TIMEOUT_MS = 5 * 60_000;
const UNFINISHED = ['waiting', 'running'];

/** Uploads a file, waits for the job that the upload queues, and prints the measurements of the engine. */
export async function uploadAndWait(
  api: Api,
  draftId: string,
  file: DemoFile,
  print: Print,
  kind = 'source',
): Promise<void> {
  const artifact = await api.upload(draftId, kind, file.fileName, file.content);
  if (artifact.sha256 !== sha256Of(file)) throw new Error(`The stored SHA-256 of ${file.fileName} does not match.`);
  const size = `${file.content.length.toLocaleString('en')} bytes, SHA-256 ${artifact.sha256.slice(0, 12)}…`;
  print(`Uploaded ${file.fileName} (${size})  ${api.address}/artifacts/${artifact.id}`);

  const job = await waitForJob(api, artifact.jobId, print);
  if (job.status !== 'done')
    throw new Error(`The job ${job.id} is ${job.status}: ${job.error?.message ?? 'no reason given'}`);
  const files = (await api.get(`/versions/${draftId}/artifacts`)).items;
  for (const expected of ['glb', 'properties', 'thumbnail'])
    if (!files.some((artifact: Json) => artifact.kind === expected && !artifact.stale))
      throw new Error(`The engine did not create the ${expected}.`);
  const properties = JSON.parse(
    Buffer.from(await api.download(`/versions/${draftId}/artifacts/properties/file`)).toString(),
  );
  const [x, y, z] = properties.boundingBox.size.map((size: number) => Math.round(size * 1000) / 1000);
  const volume = Math.round(properties.volume).toLocaleString('en');
  print(`  ${properties.solids} solids, ${properties.faces} faces, ${x} × ${y} × ${z} mm, ${volume} mm³`);
  print(`  thumbnail  ${api.address}/versions/${draftId}/artifacts/thumbnail/file`);
}

async function waitForJob(api: Api, jobId: string, print: Print): Promise<Json> {
  const deadline = Date.now() + JOB_TIMEOUT_MS;
  let printed = '';
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    const hasProgress = job.progress && job.status === 'running';
    const state = hasProgress ? `${job.status} ${job.progress.percent} % ${job.progress.step}` : job.status;
    if (state !== printed) print(`  job ${job.type}: ${state}  ${api.address}/jobs/${jobId}`);
    printed = state;
    if (!UNFINISHED.includes(job.status)) return job;
    if (Date.now() > deadline)
      throw new Error(`The job ${jobId} is still ${job.status} after five minutes. Is the scheduler running?`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

/** Creates a version from the draft of the main workspace. */
export async function createVersion(api: Api, documentId: string, comment: string, print: Print): Promise<Json> {
  const { workspaces } = await api.get(`/documents/${documentId}`);
  const version = await api.post(`/workspaces/${workspaces[0].id}/versions`, { comment });
  print(`Version ${version.name} "${comment}"  ${api.address}/versions/${version.id}`);
  return version;
}

/** Returns the SHA-256 of a file in hex. */
export function sha256Of({ content }: DemoFile): string {
  return createHash('sha256').update(content).digest('hex');
}
