// Metrics of the HTTP requests of a server.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Registers the request metrics of a server that is not listening yet. Requests are labeled with their route
 * (`/api/v1/documents/:id`), never with a path. A client that closes the connection early counts as status
 * `client_closed`. Bytes are those on the wire, including headers.
 */
export function registerRequestMetrics(app: FastifyInstance, register: Registry): void {
  const registers = [register];
  const requests = new Counter({
    name: 'pdm_http_requests_total',
    help: 'HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'pdm_http_request_duration_seconds',
    help: 'Time from the request headers to the end of the response. Claims include the time they wait for a job.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const inFlight = new Gauge({
    name: 'pdm_http_requests_in_flight',
    help: 'HTTP requests in progress, including waiting claims.',
    registers,
  });
  const received = new Counter({
    name: 'pdm_http_received_bytes_total',
    help: 'Bytes received over HTTP, including headers.',
    labelNames: ['route'],
    registers,
  });
  const sent = new Counter({
    name: 'pdm_http_sent_bytes_total',
    help: 'Bytes sent over HTTP, including headers.',
    labelNames: ['route'],
    registers,
  });
  // A connection serves many requests; a request accounts for the bytes since the previous one.
  const counted = new WeakMap<Socket, { read: number; written: number }>();

  app.addHook('onRequest', (request, reply, done) => {
    const start = performance.now();
    const { socket } = request.raw;
    inFlight.inc();
    reply.raw.once('close', () => {
      const route = routeOf(request);
      const method = KNOWN_METHODS.has(request.method) ? request.method : 'other';
      inFlight.dec();
      requests.inc({ method, route, status: reply.raw.writableFinished ? reply.raw.statusCode : 'client_closed' });
      duration.observe({ method, route }, (performance.now() - start) / 1000);
      const before = counted.get(socket) ?? { read: 0, written: 0 };
      const now = { read: socket.bytesRead, written: socket.bytesWritten };
      received.inc({ route }, Math.max(0, now.read - before.read));
      sent.inc({ route }, Math.max(0, now.written - before.written));
      counted.set(socket, now);
    });
    done();
  });
}

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function routeOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  return is404 || !url || url.includes('*') ? 'none' : url;
}
