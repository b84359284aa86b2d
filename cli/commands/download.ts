import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ArtifactFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { type DraftOptions, resolveVersionId } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { createProgress, transferProgress } from '../progress.ts';
import { formatBytes, sanitize, type Terminal, writeJson, writeLine } from '../terminal.ts';

type Options = DraftOptions & { kind?: string; output?: string; force?: true; json?: true };

/** `pdm download`: downloads a file of a version or draft, and verifies its SHA-256. */
export const download: CliCommand = {
  define: (command) =>
    command
      .argument('<document>', 'number or id, optionally with @v3 or @B (default: newest release, else newest version)')
      .option(
        '--kind <kind>',
        'kind of file: source, asm-json, glb, stp, thumbnail, … (default: source; asm-json for assemblies; code for code documents)',
      )
      .option('--draft', 'use the draft of the main workspace')
      .option('--workspace <name>', 'use the draft of this workspace')
      .option(
        '-o, --output <file>',
        'output file or folder, or - for standard output (default: the stored file name, in this folder)',
      )
      .option('--force', 'overwrite an existing file'),
  async run(terminal, { kind, draft, workspace, output, force, json }: Options, documentArg: string) {
    const api = createApi(terminal);
    const versionId = await resolveVersionId(api, documentArg, { draft, workspace });
    const artifact = await findArtifact(api, versionId, kind, documentArg);
    if (output === '-') {
      await transferFile(terminal, api, artifact, () => terminal.out);
      return EXIT.success;
    }
    const file = outputPath(artifact, output);
    if (existsSync(file) && !force) throw new CliError(`${file} already exists; use --force to overwrite it.`);
    await downloadTo(terminal, api, artifact, file);
    if (json) writeJson(terminal, artifact);
    else {
      writeLine(terminal.out, `Downloaded ${file} (${formatBytes(artifact.size)}), SHA-256 ${artifact.sha256}.`);
      if (artifact.stale) writeLine(terminal.err, 'Warning: the file was derived from an earlier source.');
    }
    return EXIT.success;
  },
};

async function findArtifact(
  api: Api,
  versionId: string,
  kind: string | undefined,
  documentArg: string,
): Promise<ArtifactFragment> {
  const { items } = await listAll<ArtifactFragment>(api, `/versions/${pathSegment(versionId)}/artifacts`);
  const kinds = kind === undefined ? ['source', 'asm-json', 'code'] : [kind];
  const found = items.find((artifact) => kinds.includes(artifact.kind));
  if (found) return found;
  const available = items.map((artifact) => artifact.kind).join(', ') || 'none';
  throw new CliError(
    `${documentArg} has no file of kind ${kinds.join(' or ')}. Available kinds: ${available}.`,
    EXIT.failure,
  );
}

// The stored name comes from the uploader, so only its last path segment is used.
function outputPath({ fileName, kind }: ArtifactFragment, output: string | undefined): string {
  const baseName = sanitize(basename(fileName.replaceAll('\\', '/')));
  const name = ['', '.', '..'].includes(baseName) ? kind : shortenName(baseName);
  if (output === undefined) return name;
  return statSync(output, { throwIfNoEntry: false })?.isDirectory() ? join(output, name) : output;
}

const MAX_NAME_BYTES = 255;

// The service stores up to 200 characters of a name, which can exceed the byte limit of the file system.
function shortenName(name: string): string {
  const extension = extname(name).length <= 20 ? extname(name) : '';
  const characters = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(characters.join('') + extension) > MAX_NAME_BYTES) characters.pop();
  return characters.join('') + extension;
}

/** Downloads to a temporary file and renames it, so that an incomplete file never has the final name. */
async function downloadTo(terminal: Terminal, api: Api, artifact: ArtifactFragment, file: string): Promise<void> {
  const temporary = join(dirname(file), `.pdm-${process.pid}.part`);
  try {
    await transferFile(terminal, api, artifact, () => createWriteStream(temporary, { flags: 'wx' }));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

async function transferFile(
  terminal: Terminal,
  api: Api,
  { id, fileName, size, sha256 }: ArtifactFragment,
  openTarget: () => NodeJS.WritableStream,
): Promise<void> {
  const progress = createProgress(terminal.err);
  const onProgress = transferProgress(progress, sanitize(fileName), size);
  const hash = createHash('sha256');
  let received = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      hash.update(chunk);
      received += chunk.length;
      onProgress(received);
      done(null, chunk);
    },
  });
  try {
    const content = await api.open(`/artifacts/${pathSegment(id)}/file`);
    const target = openTarget();
    await pipeline(content, meter, target, { signal: terminal.signal, end: target !== terminal.out });
  } catch (error) {
    if (terminal.signal.aborted || error instanceof CliError) throw error;
    throw new CliError(`Download of ${fileName} failed: ${error instanceof Error ? error.message : error}.`);
  } finally {
    progress.end();
  }
  if (hash.digest('hex') !== sha256)
    throw new CliError(`Download of ${fileName} failed: the SHA-256 of the received bytes is not ${sha256}.`);
}
