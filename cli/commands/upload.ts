import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ArtifactFragment, DocumentFragment, JobFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, createApi, listAll, pathSegment } from '../api.ts';
import type { CliCommand } from '../command.ts';
import { fetchDocument, findFolderId, findWorkspace } from '../document-reference.ts';
import { CliError, EXIT } from '../exit.ts';
import { followJob } from '../follow-job.ts';
import { createProgress, transferProgress } from '../progress.ts';
import { formatBytes, sanitize, type Terminal, writeJson, writeLine } from '../terminal.ts';

type Options = {
  to?: string;
  workspace?: string;
  new?: true;
  name?: string;
  folder?: string;
  kind?: string;
  split?: true;
  wait?: true;
  idempotencyKey?: string;
  json?: true;
};

/** `pdm upload`: uploads a file to the draft of a new or existing document. */
export const upload: CliCommand = {
  define: (command) =>
    command
      .argument('<file>', 'file to upload')
      .option('--to <document>', 'upload to the draft of this document (number or id)')
      .option('--workspace <name>', 'with --to: workspace of the draft (default: the main workspace)')
      .option('--new', 'create a new document (the default without --to)')
      .option('--name <name>', 'name of the new document (default: the file name without its extension)')
      .option('--folder <folder>', 'folder of the new document (path or id)')
      .option(
        '--kind <kind>',
        'kind of file (source, asm-json, thumbnail, attachment.<slug>) or of new document (model, assembly, code); default: detected from the file name',
      )
      .option('--split', 'split an assembly in a STEP file into separate documents')
      .option('--wait', 'wait until the job queued by the upload has ended')
      .option(
        '--idempotency-key <key>',
        'repeating the command with the same key within 24 hours has no further effect',
      ),
  async run(terminal, options: Options, file: string) {
    const { size } = statFile(file);
    if (options.to && (options.new || options.name || options.folder))
      throw new CliError('--to cannot be combined with --new, --name or --folder.', EXIT.usage);
    if (!options.to && options.workspace) throw new CliError('--workspace requires --to.', EXIT.usage);
    const api = createApi(terminal);
    const document = options.to ? await fetchDocument(api, options.to) : await createDocument(api, file, options);
    if (!options.to && !options.json)
      writeLine(terminal.out, `Created ${document.number} "${sanitize(document.name)}".`);

    const { draftId } = findWorkspace(document, options.workspace);
    const artifact = await uploadFile(terminal, api, {
      file,
      size,
      draftId,
      kind: artifactKind(options.kind, file, document.kind),
      split: options.split,
      idempotencyKey: options.idempotencyKey,
    });
    if (!options.json)
      writeLine(
        terminal.out,
        `Uploaded ${sanitize(artifact.fileName)} (${formatBytes(artifact.size)}) to the draft of ${document.number}, SHA-256 ${artifact.sha256}.`,
      );

    const job =
      artifact.jobId && options.wait ? await waitForJob(terminal, api, artifact.jobId, options.json === true) : null;
    const generated = job ? await listGenerated(api, draftId, job.id) : [];
    if (options.json) {
      const { id, number, name } = document;
      writeJson(terminal, { document: { id, number, name }, artifact, job, generated });
    } else printJob(terminal, artifact, job, generated);
    return job && job.status !== 'done' ? EXIT.failure : EXIT.success;
  },
};

function printJob(
  { out, err }: Terminal,
  { jobId }: ArtifactFragment,
  job: JobFragment | null,
  generated: readonly ArtifactFragment[],
): void {
  if (jobId && !job) writeLine(out, `Queued job ${jobId}. Run "pdm jobs ${jobId}" to show its status.`);
  if (job && job.status !== 'done') {
    const reason = job.error ? `: ${sanitize(job.error.message)} (${job.error.code})` : '.';
    writeLine(err, `Job ${job.id} is ${job.status}${reason}`);
  }
  for (const { kind, fileName, size } of generated)
    writeLine(out, `  ${kind}  ${sanitize(fileName)}  ${formatBytes(size)}`);
}

function statFile(file: string): Stats {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new CliError(`File not found: ${file}`);
  if (!found.isFile()) throw new CliError(`${file} is not a regular file.`);
  return found;
}

const DOCUMENT_KINDS = ['model', 'assembly', 'code'];

async function createDocument(
  api: Api,
  file: string,
  { name, folder, kind, idempotencyKey }: Options,
): Promise<DocumentFragment> {
  const folderId = await findFolderId(api, folder);
  const body = {
    name: name ?? (basename(file).replace(/(?<=.)(\.asm)?\.[^.]*$/, '') || basename(file)),
    kind: documentKind(kind, file),
    ...(folderId ? { folderId } : {}),
  };
  return api.post('/documents', body, idempotencyKey && `${idempotencyKey}/document`);
}

function documentKind(kind: string | undefined, file: string): string {
  if (kind && DOCUMENT_KINDS.includes(kind)) return kind;
  const isAssembly = kind === 'asm-json' || (kind === undefined && isAsmJson(file));
  return isAssembly ? 'assembly' : 'model';
}

function artifactKind(kind: string | undefined, file: string, document: string): string {
  if (kind && !DOCUMENT_KINDS.includes(kind)) return kind;
  return document === 'assembly' || (document !== 'model' && isAsmJson(file)) ? 'asm-json' : 'source';
}

function isAsmJson(file: string): boolean {
  return /(^|\.)asm\.json$/i.test(basename(file));
}

type UploadRequest = {
  file: string;
  size: number;
  draftId: string;
  kind: string;
  split?: true;
  idempotencyKey?: string;
};

async function uploadFile(
  terminal: Terminal,
  api: Api,
  { file, size, draftId, kind, split, idempotencyKey }: UploadRequest,
): Promise<ArtifactFragment> {
  const progress = createProgress(terminal.err);
  const name = basename(file);
  const onProgress = transferProgress(progress, sanitize(name), size);
  try {
    return await api.upload(
      `/versions/${pathSegment(draftId)}/artifacts`,
      { kind, split },
      { file, size, name, type: mediaType(name), onProgress },
      idempotencyKey,
    );
  } finally {
    progress.end();
  }
}

async function waitForJob(terminal: Terminal, api: Api, id: string, quiet: boolean): Promise<JobFragment> {
  try {
    return await followJob(terminal, api, id, quiet);
  } catch (error) {
    if (terminal.signal.aborted)
      writeLine(terminal.err, `The file is stored and job ${id} continues. Run "pdm jobs ${id}" to show its status.`);
    throw error;
  }
}

/** Returns the files that a job derived from the upload. */
async function listGenerated(api: Api, draftId: string, jobId: string): Promise<ArtifactFragment[]> {
  const { items } = await listAll<ArtifactFragment>(api, `/versions/${pathSegment(draftId)}/artifacts`);
  return items.filter((artifact) => artifact.generator !== null && artifact.jobId === jobId);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  stp: 'model/step',
  step: 'model/step',
  glb: 'model/gltf-binary',
  json: 'application/json',
  png: 'image/png',
  pdf: 'application/pdf',
};

function mediaType(name: string): string {
  return MEDIA_TYPES[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
