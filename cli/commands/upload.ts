import { type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ArtifactFragment, DocumentFragment, JobFragment } from '../../rest-adapter/generated/operations.ts';
import { type Api, allOf, apiFor, part } from '../api.ts';
import type { Deed } from '../deed.ts';
import { EXIT, Failure } from '../exit.ts';
import { followJob } from '../follow-job.ts';
import { documentOf, folderIdOf, workspaceOf } from '../named.ts';
import { progressOn, transferOn } from '../progress.ts';
import { bytes, plain, say, sayJson, type Terminal } from '../terminal.ts';

type Options = {
  to?: string;
  workspace?: string;
  new?: true;
  name?: string;
  folder?: string;
  kind?: string;
  split?: true;
  wait?: true;
  key?: string;
  json?: true;
};

/** Sends a file into a draft, of a new document or of one that there is. */
export const upload: Deed = {
  define: (command) =>
    command
      .argument('<file>', 'the file')
      .option('--to <document>', 'into the draft of this document, by its number or id')
      .option('--workspace <name>', 'with --to: into the draft of this workspace instead of the main one')
      .option('--new', 'into a new document; so it is without --to')
      .option('--name <name>', 'name of the new document (usually that of the file)')
      .option('--folder <folder>', 'folder of the new document: its path or id')
      .option(
        '--kind <kind>',
        'of the file: source, asm-json, thumbnail, attachment.<slug>; of the new document: model, assembly, code (usually told by the file)',
      )
      .option('--split', 'take an assembly in a STEP file apart into documents of its own')
      .option('--wait', 'until the job has ended that the file gives rise to')
      .option('--key <key>', 'when repeated under the same key within a day, nothing is done twice'),
  async run(terminal, options: Options, file: string) {
    const { size } = fileAt(file);
    if (options.to && (options.new || options.name || options.folder))
      throw new Failure('Either --to, or --new with --name and --folder.', EXIT.usage);
    if (!options.to && options.workspace) throw new Failure('--workspace needs --to.', EXIT.usage);
    const api = apiFor(terminal);
    const document = options.to ? await documentOf(api, options.to) : await made(api, file, options);
    if (!options.to && !options.json) say(terminal.out, `${document.number} "${plain(document.name)}" is made.`);

    const { draftId } = workspaceOf(document, options.workspace);
    const artifact = await sent(terminal, api, {
      file,
      size,
      draftId,
      kind: fileKind(options.kind, file, document.kind),
      split: options.split,
      key: options.key,
    });
    if (!options.json)
      say(
        terminal.out,
        `${plain(artifact.fileName)} (${bytes(artifact.size)}) is in the draft of ${document.number}, SHA-256 ${artifact.sha256}.`,
      );

    const job =
      artifact.jobId && options.wait ? await waitedFor(terminal, api, artifact.jobId, options.json === true) : null;
    const { items } = job ? await allOf<ArtifactFragment>(api, `/versions/${part(draftId)}/artifacts`) : { items: [] };
    const results = items.filter(({ jobId, generator }) => generator !== null && jobId === job?.id);
    if (options.json)
      sayJson(terminal, {
        document: { id: document.id, number: document.number, name: document.name },
        artifact,
        job,
        made: results,
      });
    else tell(terminal, artifact, job, results);
    return job && job.status !== 'done' ? EXIT.refused : EXIT.good;
  },
};

function tell(
  { out, err }: Terminal,
  { jobId }: ArtifactFragment,
  job: JobFragment | null,
  results: readonly ArtifactFragment[],
): void {
  if (jobId && !job) say(out, `Job ${jobId} makes what follows from it; pdm jobs shows how far it is.`);
  if (job && job.status !== 'done')
    say(
      err,
      `The job ${job.id} is ${job.status}${job.error ? `: ${plain(job.error.message)} (${job.error.code})` : '.'}`,
    );
  for (const { kind, fileName, size } of results) say(out, `  ${kind}  ${plain(fileName)}  ${bytes(size)}`);
}

function fileAt(file: string): Stats {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Failure(`There is no file ${file}.`);
  if (!found.isFile()) throw new Failure(`${file} is no file.`);
  return found;
}

const DOCUMENT_KINDS = ['model', 'assembly', 'code'];

async function made(api: Api, file: string, { name, folder, kind, key }: Options): Promise<DocumentFragment> {
  const folderId = await folderIdOf(api, folder);
  const assembly = kind === 'asm-json' || (kind === undefined && isAsmJson(file));
  const own = kind && DOCUMENT_KINDS.includes(kind) ? kind : assembly ? 'assembly' : 'model';
  const fresh = {
    name: name ?? (basename(file).replace(/(?<=.)(\.asm)?\.[^.]*$/, '') || basename(file)),
    kind: own,
    ...(folderId ? { folderId } : {}),
  };
  return api.post('/documents', fresh, key && `${key}/document`);
}

function fileKind(kind: string | undefined, file: string, document: string): string {
  if (kind && !DOCUMENT_KINDS.includes(kind)) return kind;
  return document === 'assembly' || (document !== 'model' && isAsmJson(file)) ? 'asm-json' : 'source';
}

function isAsmJson(file: string): boolean {
  return /(^|\.)asm\.json$/i.test(basename(file));
}

type Order = { file: string; size: number; draftId: string; kind: string; split?: true; key?: string };

async function sent(
  terminal: Terminal,
  api: Api,
  { file, size, draftId, kind, split, key }: Order,
): Promise<ArtifactFragment> {
  const progress = progressOn(terminal.err);
  const name = basename(file);
  const moved = transferOn(progress, plain(name), size);
  try {
    return await api.upload(
      `/versions/${part(draftId)}/artifacts`,
      { kind, split },
      { file, size, name, type: typeOf(name), moved },
      key,
    );
  } finally {
    progress.end();
  }
}

async function waitedFor(terminal: Terminal, api: Api, id: string, quiet: boolean): Promise<JobFragment> {
  try {
    return await followJob(terminal, api, id, quiet);
  } catch (error) {
    // what was sent stays, and the service goes on with it
    if (terminal.signal.aborted)
      say(terminal.err, `The file is stored and the job ${id} goes on; pdm jobs shows how far it is.`);
    throw error;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  stp: 'model/step',
  step: 'model/step',
  glb: 'model/gltf-binary',
  json: 'application/json',
  png: 'image/png',
  pdf: 'application/pdf',
};

function typeOf(name: string): string {
  return TYPES[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
