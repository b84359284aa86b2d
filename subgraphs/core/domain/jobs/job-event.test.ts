import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type AnnouncedJob, formatJobEvent } from './job-event.ts';

test('formats the message that docs/events.md documents, without other fields of the job', () => {
  const documentation = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');
  const documented = JSON.parse(/```json\n(\{[^`]*"type": "job\.ready"[^`]*)```/.exec(documentation)?.[1] ?? '');
  const { jobId: _id, ...fields } = documented.data;
  const job: AnnouncedJob & { tokenId: string } = { _id, ...fields, tokenId: 'tok_secret' };
  expect(JSON.parse(formatJobEvent(documented.id, job, new Date(documented.time)))).toEqual(documented);
});
