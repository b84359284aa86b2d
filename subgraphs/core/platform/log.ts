// The log of a process.
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Creates a log on stderr: JSON lines, or readable lines if `pretty`. Tokens and cookies are redacted. */
export function createLog({ pretty, level = 'info', name }: { pretty: boolean; level?: string; name: string }): Log {
  const options = { name, level, redact: ['req.headers.authorization', 'req.headers.cookie', 'token', '*.token'] };
  if (!pretty) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino({
    ...options,
    transport: {
      target: 'pino-pretty',
      options: { destination: 2, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' },
    },
  });
}
