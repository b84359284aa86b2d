import type { MongoClientOptions } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * A connection that fails every command when it is closed. That of the driver (7.8) forgets a command that waits to
 * continue writing, for example to a store that does not read: its promise never settles, and a background task that
 * awaits it never goes on.
 */
class FailingConnection extends Connection {
  override cleanup(error: Error): void {
    super.cleanup(error);
    // The driver then notices that the connection is closed. Later, because a command may just be about to write.
    setImmediate(() => this.socket.emit('drain'));
  }
}

/** Makes a client use such connections. The driver accepts this option without declaring it. */
export const DRIVER_CONNECTION = { connectionType: FailingConnection } as MongoClientOptions;
