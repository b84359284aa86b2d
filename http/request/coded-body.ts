import type { IncomingMessage } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

/** Refuses a body that is compressed or wrapped otherwise (`unsupported_media_type`): it would be read as the thing itself. */
export function refuseCoded({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding && encoding !== 'identity')
    refuse('unsupported_media_type', `A body with the content encoding ${encoding} is not taken. Send it as it is.`);
  // Node takes off the pieces alone, whatever else is said to be around the body
  if (transfer && transfer.toLowerCase() !== 'chunked')
    refuse(
      'unsupported_media_type',
      `A body with the transfer coding ${transfer} is not taken. Send it as it is, in pieces if need be.`,
    );
}
