// Errors of servers that cannot listen.

/** Returns an error that names the setting of the port if the port is in use, else the error itself. */
export function listenError(error: NodeJS.ErrnoException, port: number, setting: string): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new Error(`port ${port} is already in use. Stop the other process or set ${setting}.`);
}
