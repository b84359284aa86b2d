import { writeArchive } from '../../subgraphs/core/domain/jobs/code-archive.ts';
import { resultFile } from './result-files.ts';

/** The files of a generated part. */
export const part = (key: string) => [
  { path: `${key}/stp`, bytes: Buffer.from(`ISO-10303-21; ${key}`) },
  { path: `${key}/glb`, bytes: resultFile('glb', key) },
  { path: `${key}/properties`, bytes: Buffer.from('{"volume":1}') },
  { path: `${key}/thumbnail`, bytes: resultFile('thumbnail', key) },
];

/** The asm.json of an assembly of parts of the same run. */
export const assembly = (key: string, uses: string[]) => {
  const templates = uses.map((used) => ({ ident: used, type: 'part', reference: { location: `generated:${used}` } }));
  const instances = uses.map((used) => ({ ident: `${used}:1`, template: used }));
  return {
    path: `${key}/asm-json`,
    bytes: Buffer.from(JSON.stringify({ version: 1, templates, instances, constraints: [] })),
  };
};

type Said = { key: string; kind: string; name: string; files?: string[] };
/** The archive that a worker delivers for a run: its result and files. */
export const archive = (documents: Said[], files: { path: string; bytes: Uint8Array }[], more: object = {}) =>
  writeArchive([
    {
      path: 'result.json',
      bytes: Buffer.from(JSON.stringify({ engine: 'test/1.0.0', isolation: 'strict', documents, ...more })),
    },
    ...files,
  ]);

/** A rack of two parts. */
export const RACK = archive(
  [
    { key: 'rack', kind: 'assembly', name: 'Rack 800' },
    { key: 'side', kind: 'model', name: 'Side' },
    { key: 'board', kind: 'model', name: 'Board' },
  ],
  [assembly('rack', ['side', 'board']), ...part('side'), ...part('board')],
  { generator: { name: 'rack', version: '1.2.0' } },
);
