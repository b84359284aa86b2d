// Responses to requests that never reach a route: malformed HTTP, and CONNECT.
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { requestIdFromHeader } from '../request/request-id.ts';
import { createProblem, PROBLEM_TYPE, type Problem } from './problem.ts';

const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Responds with a problem to input that Node cannot parse (bad syntax, oversized or slow headers), then closes the
 * connection. For the server's `clientErrorHandler`.
 */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasStartedResponse(socket)) {
    socket.destroy();
    return;
  }
  const { code, detail } = KNOWN_ERRORS[error.code ?? ''] ?? {
    code: 'validation_failed',
    detail: 'The request is not valid HTTP.',
  };
  writeResponse(socket, createProblem(code, detail, { requestId: requestIdFromHeader(undefined) }));
}

/**
 * Rejects CONNECT, which Node does not pass to the router: the service is not a proxy. For the server's `connect`
 * event.
 */
export function rejectConnect({ url = '' }: IncomingMessage, stream: Duplex): void {
  stream.on('error', () => stream.destroy());
  writeResponse(
    stream,
    createProblem('method_not_allowed', `CONNECT ${url.slice(0, 200)} is not allowed: this service is not a proxy.`, {
      requestId: requestIdFromHeader(undefined),
    }),
  );
}

function writeResponse(stream: Duplex, content: Problem): void {
  const body = JSON.stringify(content);
  const head = [
    `HTTP/1.1 ${content.status} ${PHRASES[content.status]}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${content.requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
    ...(content.status === 405 ? ['allow:'] : []),
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () =>
    stream instanceof Socket ? stream.destroySoon() : stream.destroy(),
  );
}

const KNOWN_ERRORS: Record<string, { code: ErrorCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The request headers exceed 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The request headers did not arrive within 5 s.' },
};

// A second response on this connection would be read as part of the first.
function hasStartedResponse(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return response?.headersSent === true;
}
