// Rejects repeated headers that may have only one value.
import type { IncomingMessage } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

const JOINED_BY_NODE = [
  'X-File-Name',
  'X-Generator',
  'X-Input-Sha256',
  'X-Job-Attempt',
  'Idempotency-Key',
  'Last-Event-ID',
];
const FIRST_USED_BY_NODE = ['Host', 'Authorization', 'Content-Type'];

/**
 * Throws `validation_failed` for a repeated header that has a single value. Node joins the values of some, which would
 * mix two file names, and uses the first of others, where a proxy may have checked the last.
 */
export function rejectRepeatedHeaders({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  const joined = JOINED_BY_NODE.filter((name) => String(headers[name.toLowerCase()] ?? '').includes(','));
  const repeated = [...joined, ...FIRST_USED_BY_NODE].filter((name) => countHeader(rawHeaders, name.toLowerCase()) > 1);
  if (!repeated.length) return;
  const errors = repeated.map((name) => ({ path: `/${name}`, message: 'must not be repeated' }));
  refuse(
    'validation_failed',
    `${errors.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}. Send one value.`,
    { errors },
  );
}

// Names are at even indexes, each followed by its value.
function countHeader(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) times++;
  return times;
}
