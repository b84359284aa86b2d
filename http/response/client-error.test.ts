import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startRestServer } from '../../rest-adapter/testing/rest-server.ts';

describe('a request that is not valid HTTP', () => {
  async function raw(bytes: string): Promise<{ head: string; problem: { status: number; code: string } }> {
    const { port } = await startRestServer({});
    const socket: Socket = connect(port, '127.0.0.1');
    socket.write(bytes);
    const [head = '', body = '{}'] = (await text(socket)).split('\r\n\r\n');
    return { head, problem: JSON.parse(body) };
  }

  test('receives a problem response and is closed', async () => {
    const { head, problem } = await raw('NONSENSE\r\n\r\n');
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'HTTP/1.1 400 Bad Request',
        'content-type: application/problem+json',
        'connection: close',
      ]),
    );
    expect(problem).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('receives 431 if its headers are too large', async () => {
    const { head, problem } = await raw(
      `GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
    expect([head.split(' ')[1], problem.code]).toEqual(['431', 'headers_too_large']);
  });
});
