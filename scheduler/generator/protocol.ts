// The messages between the scheduler and the guest program in the sandbox.

/** The generator to run: its entry module and complete parameters. */
export type GuestJob = { entry: string; params: Record<string, unknown> };

/** A created document. Its files are separate frames named `<key>/<kind>`. */
export type GuestDocument = { key: string; kind: 'model' | 'assembly'; name: string; description?: string };

/** The result; `files` lists the file kinds of each document. */
export type GuestResult =
  | { documents: (GuestDocument & { files: string[] })[] }
  | { error: { code: string; message: string } };
