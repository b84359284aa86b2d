import { expect } from 'vitest';
import type { Answer } from './client.ts';
import type { Pdm } from './pdm.ts';

type Job = Answer['body'];

/** Waits until a job meets a condition and returns it; without a condition, until it has ended. */
export async function jobWhen({ viewer }: Pdm, id: string, isMet: (job: Job) => boolean = hasEnded): Promise<Job> {
  let job: Job;
  const read = async () => {
    job = (await viewer.get(`/jobs/${id}`)).body;
    return isMet(job);
  };
  await expect.poll(read, { interval: 100, timeout: 600_000 }).toBe(true); // the limit is that of the test
  return job;
}

const hasEnded = ({ status }: Job): boolean => !['waiting', 'running'].includes(status);
