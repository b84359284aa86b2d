import type { IncomingMessage } from 'node:http';
import { refuse } from '../subgraphs/core/domain/errors.ts';

const SINGLE = ['X-File-Name', 'X-Generator', 'X-Input-Sha256', 'X-Job-Attempt', 'Idempotency-Key', 'Last-Event-ID'];

/** Refuses a header that has one value and was sent twice: Node joins the two, and half of a file's name would be another's. */
export function refuseRepeated({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  const joined = SINGLE.filter((name) => String(headers[name.toLowerCase()] ?? '').includes(','));
  const repeated = joined.filter((name) => timesSent(rawHeaders, name.toLowerCase()) > 1);
  if (!repeated.length) return;
  const errors = repeated.map((name) => ({ path: `/${name}`, message: 'is given more than once' }));
  refuse('validation_failed', `${errors.map(({ path, message }) => `${path.slice(1)} ${message}`).join('; ')}. Send one value.`, { errors });
}

// names stand at the even places, values behind them
function timesSent(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
}
