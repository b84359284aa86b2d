import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ApiError, DigestMismatchError } from '../worker-sdk/errors.ts';
import { fetchAssembly } from './fetch-assembly.ts';
import type { FetchContext } from './fetch-file.ts';
import type { WorkerApi } from './worker-api.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdm-inputs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PUBLIC = 'https://pdm.example/pdm/api/v1';
const part = (ident: string, sha256: string) => ({
  ident,
  reference: {
    location: `${PUBLIC}/content/${sha256}?signature=x`,
    type: 'stp',
    name: ident,
    versionId: `ver_${ident}`,
    sha256,
  },
});
const subassembly = (ident: string, versionId: string) => ({
  ident,
  reference: {
    location: `${PUBLIC}/content/assemblies/${versionId}?signature=x`,
    type: 'json',
    name: ident,
    versionId,
    sha256: 'f',
  },
});

/** A mock API that serves the asm.json of each version; `requested` records the paths. */
function mockApi(asmJsons: Record<string, object>, overrides: Partial<WorkerApi> = {}) {
  const requested: string[] = [];
  const api = {
    resolvedAsmJson: async () => asmJsons.top,
    resolvedAsmJsonAt: async (path: string) => {
      requested.push(path);
      return asmJsons[/assemblies\/(\w+)/.exec(path)?.[1] ?? ''];
    },
    download: async ({ url }: { url: string }, target: string) => {
      requested.push(url);
      writeFileSync(target, 'STEP');
    },
    ...overrides,
  } as WorkerApi;
  const context = {
    api,
    job: { versionId: 'ver_top' },
    metadata: {},
    folder,
    signal: new AbortController().signal,
    seconds: 1,
  } as FetchContext;
  return { requested, fetchAll: () => fetchAssembly(context) };
}

test('fetches each file once at any depth from the configured API address', async () => {
  const { requested, fetchAll } = mockApi({
    top: {
      templates: [
        part('a', 'aaa'),
        part('again', 'aaa'),
        subassembly('foot', 'ver_foot'),
        { ident: 'in', assembly: { templates: [part('b', 'bbb')] } },
      ],
    },
    ver_foot: { templates: [part('a', 'aaa'), part('c', 'ccc'), subassembly('deep', 'ver_deep')] },
    ver_deep: { templates: [part('c', 'ccc')] },
  });
  const { asmJson, files } = await fetchAll();
  expect(requested.sort()).toEqual([
    '/api/v1/content/aaa?signature=x',
    '/api/v1/content/bbb?signature=x',
    '/api/v1/content/ccc?signature=x',
    '/content/assemblies/ver_deep?signature=x',
    '/content/assemblies/ver_foot?signature=x',
  ]);
  expect(Object.keys(files).sort()).toEqual(['aaa', 'bbb', 'ccc', 'ver_deep', 'ver_foot']);
  const written = JSON.parse(readFileSync(asmJson, 'utf8'));
  const locations = written.templates.map(({ reference }: { reference?: { location: string } }) => reference?.location);
  expect(locations).toEqual(['aaa', 'aaa', 'ver_foot', undefined]);
  expect(JSON.parse(readFileSync(files.ver_foot ?? '', 'utf8')).templates[2].reference.location).toBe('ver_deep');
});

test('throws the error of the service for an unresolved reference', async () => {
  const unresolved = (details: object) => async () => {
    throw new ApiError(409, 'not_converted', 'template leg: PRT-1 v1 has no STEP file yet', 0, { ...details });
  };
  const top = { templates: [subassembly('foot', 'ver_foot')] };
  await expect(
    mockApi({}, { resolvedAsmJson: unresolved({ final: false, cause: 'not_converted' }) }).fetchAll(),
  ).rejects.toMatchObject({
    code: 'not_converted',
    final: false,
    message: 'template leg: PRT-1 v1 has no STEP file yet',
  });
  await expect(
    mockApi({ top }, { resolvedAsmJsonAt: unresolved({ final: true, cause: 'needs_classcad' }) }).fetchAll(),
  ).rejects.toMatchObject({
    code: 'needs_classcad',
    final: true,
    message: 'subassembly foot: template leg: PRT-1 v1 has no STEP file yet',
  });
});

test('throws a retryable error for digest mismatches and a final one for invalid asm.json', async () => {
  const broken: Partial<WorkerApi> = {
    download: async () => {
      throw new DigestMismatchError('the SHA-256 of the STEP file of a does not match');
    },
  };
  const top = { templates: [part('a', 'aaa')] };
  await expect(mockApi({ top }, broken).fetchAll()).rejects.toMatchObject({ code: 'bad_download', final: false });
  const foreign = {
    templates: [{ ident: 'a', reference: { ...part('a', 'aaa').reference, location: 'https://evil.example/x.stp' } }],
  };
  await expect(mockApi({ top: foreign }).fetchAll()).rejects.toMatchObject({ code: 'missing_file', final: true });
  await expect(mockApi({ top: { templates: 'none' } }).fetchAll()).rejects.toMatchObject({
    code: 'invalid_asm_json',
    final: true,
  });
});

test('fetches no OFB file, because the engine rejects the type', async () => {
  const ofb = { ident: 'o', reference: { ...part('o', 'ooo').reference, type: 'ofb' } };
  const { requested, fetchAll } = mockApi({ top: { templates: [ofb] } });
  expect(Object.keys((await fetchAll()).files)).toEqual([]);
  expect(requested).toEqual([]);
});
