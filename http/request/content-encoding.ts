// Rejects compressed request bodies.
import type { IncomingMessage } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

/** Throws `unsupported_media_type` for a Content-Encoding or Transfer-Encoding that the service does not decode. */
export function rejectEncodedBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { 'content-encoding': encoding, 'transfer-encoding': transfer } = headers;
  if (encoding && encoding !== 'identity')
    refuse('unsupported_media_type', `The content encoding ${encoding} is not supported. Send the body uncompressed.`);
  // Node decodes chunked only, whatever other encodings the header lists.
  if (transfer && transfer.toLowerCase() !== 'chunked')
    refuse('unsupported_media_type', `The transfer encoding ${transfer} is not supported. Use chunked or none.`);
}
