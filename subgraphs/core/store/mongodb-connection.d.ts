// The class that the MongoDB driver uses for its connections. The package exports only its type.
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  export class Connection {
    readonly socket: Socket;
    /** Closes the socket; commands that wait for a response fail with this error. */
    cleanup(error: Error): void;
  }
}
