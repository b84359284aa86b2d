import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../subgraphs/core/domain/errors.ts';
import { requestIdOf } from '../request/request-id.ts';
import { PROBLEM_TYPE, type Problem, problem } from './problem.ts';

const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Answers what Node could not read as a request (bad syntax, too large headers, headers that drip) with a problem, and closes.
 * For the server's `clientErrorHandler`.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answering(socket)) {
    socket.destroy();
    return;
  }
  const { code, detail } = KNOWN[error.code ?? ''] ?? {
    code: 'validation_failed',
    detail: 'The request is not valid HTTP.',
  };
  send(socket, problem(code, detail, { requestId: requestIdOf(undefined) }));
}

/** Answers CONNECT, which Node hands over apart from all other requests: no address is a way to another. For the server's `connect`. */
export function answerConnect({ url = '' }: IncomingMessage, stream: Duplex): void {
  stream.on('error', () => stream.destroy());
  send(
    stream,
    problem('method_not_allowed', `${url.slice(0, 200)} does not take CONNECT: this service leads nowhere else.`, {
      requestId: requestIdOf(undefined),
    }),
  );
}

function send(stream: Duplex, answer: Problem): void {
  const body = JSON.stringify(answer);
  const head = [
    `HTTP/1.1 ${answer.status} ${PHRASES[answer.status]}`,
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${answer.requestId}`,
    'x-content-type-options: nosniff',
    'connection: close',
    ...(answer.status === 405 ? ['allow:'] : []),
  ];
  stream.end(`${head.join('\r\n')}\r\n\r\n${body}`, () =>
    stream instanceof Socket ? stream.destroySoon() : stream.destroy(),
  );
}

const KNOWN: Record<string, { code: ErrorCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', detail: 'The headers of a request may have at most 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', detail: 'The headers of the request did not arrive in time.' },
};

// an answer that has begun cannot be followed by another on this connection
function answering(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: { headersSent: boolean } | null };
  return response?.headersSent === true;
}
