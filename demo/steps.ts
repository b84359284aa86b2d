import { createHash } from 'node:crypto';
import type { Api, DemoFile, Json } from './api.ts';

export type Print = (line: string) => void;

const JOB_TIMEOUT_MS = 10 * 60_000;
const POLL_MS = 250;
const UNFINISHED = ['waiting', 'running'];

/** Uploads a file and returns its artifact. Throws if the service stored other bytes. */
export async function upload(api: Api, draftId: string, kind: string, file: DemoFile): Promise<Json> {
  const artifact = await api.upload(draftId, kind, file);
  const sha256 = createHash('sha256').update(file.content).digest('hex');
  if (artifact.sha256 !== sha256) throw new Error(`The stored SHA-256 of ${file.fileName} does not match.`);
  return artifact;
}

/** Uploads the source of a model, waits for its conversion, and prints what the engine measured. */
export async function uploadAndConvert(api: Api, draftId: string, file: DemoFile, print: Print): Promise<void> {
  const artifact = await upload(api, draftId, 'source', file);
  const size = `${file.content.length.toLocaleString('en')} bytes, SHA-256 ${artifact.sha256.slice(0, 12)}…`;
  print(`Uploaded ${file.fileName} (${size})  ${api.address}/artifacts/${artifact.id}`);
  let printed = '';
  const job = await waitForJob(api, artifact.jobId, ({ status, progress, type, id }) => {
    const state = progress && status === 'running' ? `${status} ${progress.percent} % ${progress.step}` : status;
    if (state !== printed) print(`  job ${type}: ${state}  ${api.address}/jobs/${id}`);
    printed = state;
  });
  assertDone(job);
  const path = `/versions/${draftId}/artifacts`;
  const kinds = (await api.get(path)).items.filter(({ stale }: Json) => !stale).map(({ kind }: Json) => kind);
  for (const kind of ['glb', 'properties', 'thumbnail'])
    if (!kinds.includes(kind)) throw new Error(`The engine did not create the ${kind} of ${file.fileName}.`);
  const properties = JSON.parse(Buffer.from(await api.download(`${path}/properties/file`)).toString());
  const [x, y, z] = properties.boundingBox.size.map((value: number) => Math.round(value * 1000) / 1000);
  const volume = Math.round(properties.volume).toLocaleString('en');
  const mass = properties.mass === null ? '' : `, ${Math.round(properties.mass * 1000) / 1000} kg`;
  print(`  ${properties.faces} faces, ${x} × ${y} × ${z} mm, ${volume} mm³${mass}`);
  print(`  thumbnail  ${api.address}${path}/thumbnail/file`);
}

/** Waits for a job, and calls `report` with each state. Throws if it is unfinished after ten minutes. */
export async function waitForJob(api: Api, jobId: string, report: (job: Json) => void = () => {}): Promise<Json> {
  const deadline = Date.now() + JOB_TIMEOUT_MS;
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    report(job);
    if (!UNFINISHED.includes(job.status)) return job;
    if (Date.now() > deadline)
      throw new Error(`The job ${jobId} is still ${job.status} after ten minutes. Is the scheduler running?`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Throws the error of a job that is not done. */
export function assertDone(job: Json): void {
  if (job.status === 'done') return;
  throw new Error(`The job ${job.id} is ${job.status}: ${job.error?.message ?? 'no reason given'}`);
}

/** Creates a version from the draft of a workspace. */
export async function createVersion(api: Api, workspaceId: string, comment: string): Promise<Json> {
  return api.post(`/workspaces/${workspaceId}/versions`, { comment });
}
