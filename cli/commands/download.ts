import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArtifactFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, allOf, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { type DraftOptions, stateOf } from '../named.ts';
import { progressOn, transferOn } from '../progress.ts';
import { bytes, plain, say, sayJson, type Terminal } from '../terminal.ts';

type Options = DraftOptions & { kind?: string; output?: string; force?: true; json?: true };

/** Fetches a file of a version or draft, whole or not at all. */
export const download: Deed = {
  define: (command) =>
    command
      .argument('<document>', 'its number or id: the newest release, else the newest version; with @v3 or @B that one')
      .option(
        '--kind <kind>',
        'which of its files: source, asm-json, glb, stp, thumbnail, … (usually source, of an assembly asm-json)',
      )
      .option('--draft', 'of the draft of the main workspace')
      .option('--workspace <name>', 'of the draft of this workspace')
      .option('-o, --output <file>', 'where to, a file or a folder; - is standard output (usually its own name, here)')
      .option('--force', 'replace a file that is there'),
  async run(terminal, { kind, draft, workspace, output, force, json }: Options, given: string) {
    const api = apiFor(terminal);
    const artifact = await artifactOf(api, await stateOf(api, given, { draft, workspace }), kind, given);
    if (output === '-') {
      await fetched(terminal, api, artifact, () => terminal.out);
      return EXIT.good;
    }
    const file = placeOf(artifact, output);
    if (existsSync(file) && !force) throw new Failure(`${file} is there already; --force replaces it.`);
    await intoFile(terminal, api, artifact, file);
    if (json) sayJson(terminal, artifact);
    else
      say(
        terminal.out,
        `${file}  ${bytes(artifact.size)}, SHA-256 ${artifact.sha256}${artifact.stale ? ', made of an earlier source' : ''}`,
      );
    return EXIT.good;
  },
};

async function artifactOf(
  api: Api,
  versionId: string,
  kind: string | undefined,
  given: string,
): Promise<ArtifactFragment> {
  const { items } = await allOf<ArtifactFragment>(api, `/versions/${part(versionId)}/artifacts`);
  const kinds = kind === undefined ? ['source', 'asm-json', 'code'] : [kind];
  const found = items.find((artifact) => kinds.includes(artifact.kind));
  if (found) return found;
  const there = items.map((artifact) => artifact.kind).join(', ');
  throw new Failure(
    `${given} has no file of the kind ${kinds.join(' or ')}; ${there ? `it has ${there}` : 'it has no files'}.`,
    EXIT.refused,
  );
}

// The name comes from whoever uploaded it: of a path only the last part counts.
function placeOf({ fileName, kind }: ArtifactFragment, output: string | undefined): string {
  const own = plain(basename(fileName.replaceAll('\\', '/')));
  const name = ['', '.', '..'].includes(own) ? kind : fitting(own);
  if (output === undefined) return name;
  return statSync(output, { throwIfNoEntry: false })?.isDirectory() ? join(output, name) : output;
}

const MOST_NAME_BYTES = 255;

// The service keeps 200 letters of a name, which may be more bytes than a disk takes.
function fitting(name: string): string {
  const ending = extname(name).length <= 20 ? extname(name) : '';
  const letters = [...name.slice(0, name.length - ending.length)];
  while (Buffer.byteLength(letters.join('') + ending) > MOST_NAME_BYTES) letters.pop();
  return letters.join('') + ending;
}

/** Beside its place first, so that a file that broke off is never taken for a whole one. */
async function intoFile(terminal: Terminal, api: Api, artifact: ArtifactFragment, file: string): Promise<void> {
  const unfinished = join(dirname(file), `.pdm-${process.pid}.part`);
  try {
    await fetched(terminal, api, artifact, () => createWriteStream(unfinished, { flags: 'wx' }));
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

async function fetched(
  terminal: Terminal,
  api: Api,
  { id, fileName, size, sha256 }: ArtifactFragment,
  open: () => NodeJS.WritableStream,
): Promise<void> {
  const progress = progressOn(terminal.err);
  const moved = transferOn(progress, plain(fileName), size);
  const hash = createHash('sha256');
  let come = 0;
  const seen = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      hash.update(chunk);
      come += chunk.length;
      moved(come);
      done(null, chunk);
    },
  });
  try {
    const content = await api.open(`/artifacts/${part(id)}/file`);
    const into = open();
    await pipeline(content, seen, into, { signal: terminal.signal, end: into !== terminal.out });
  } catch (error) {
    if (terminal.signal.aborted || error instanceof Failure) throw error;
    throw new Failure(
      `${fileName} did not come whole: ${error instanceof Error ? error.message : error}. Nothing is kept of it.`,
    );
  } finally {
    progress.end();
  }
  if (hash.digest('hex') !== sha256)
    throw new Failure(`${fileName} did not arrive as it is stored: its SHA-256 is not ${sha256}.`);
}
