// What the scheduler and the program in the sandbox say to each other, besides files.

/** The generator to run: the module it begins with, and complete parameters. */
export type GuestJob = { entry: string; params: Record<string, unknown> };

/** A document that was made; its files are frames of their own, `<key>/<kind>`. */
export type GuestDocument = { key: string; kind: 'model' | 'assembly'; name: string; description?: string };

/** With the kinds of the files of each. */
export type GuestResult =
  | { documents: (GuestDocument & { files: string[] })[] }
  | { error: { code: string; message: string } };
