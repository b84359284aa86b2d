import type { IncomingMessage } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

const SINGLE = ['X-File-Name', 'X-Generator', 'X-Input-Sha256', 'X-Job-Attempt', 'Idempotency-Key', 'Last-Event-ID'];
const FIRST_COUNTS = ['Host', 'Authorization', 'Content-Type'];

/**
 * Refuses a header that has one value and was sent twice: Node joins the two, and half of a file's name would be another's; of some it passes over
 * all but the first, and a proxy before the service may have looked at the last.
 */
export function refuseRepeated({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  const joined = SINGLE.filter((name) => String(headers[name.toLowerCase()] ?? '').includes(','));
  const repeated = [...joined, ...FIRST_COUNTS].filter((name) => timesSent(rawHeaders, name.toLowerCase()) > 1);
  if (!repeated.length) return;
  const errors = repeated.map((name) => ({ path: `/${name}`, message: 'is given more than once' }));
  refuse(
    'validation_failed',
    `${errors.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}. Send one value.`,
    { errors },
  );
}

// names stand at the even places, values behind them
function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) times++;
  return times;
}
