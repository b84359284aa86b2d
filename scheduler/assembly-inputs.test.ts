import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchAssembly } from './assembly-inputs.ts';
import type { Fetching } from './fetch-file.ts';
import { ApiRefusal } from './http-client.ts';
import { BadDownload, type WorkerApi } from './worker-api.ts';

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
const sub = (ident: string, versionId: string) => ({
  ident,
  reference: {
    location: `${PUBLIC}/content/assemblies/${versionId}?signature=x`,
    type: 'json',
    name: ident,
    versionId,
    sha256: 'f',
  },
});

/** The service as far as it hands out inputs: `forms` by version. */
function serving(forms: Record<string, object>, overrides: Partial<WorkerApi> = {}) {
  const asked: string[] = [];
  const api = {
    resolvedAsmJson: async () => forms.top,
    resolvedAt: async (path: string) => {
      asked.push(path);
      return forms[/assemblies\/(\w+)/.exec(path)?.[1] ?? ''];
    },
    download: async ({ url }: { url: string }, target: string) => {
      asked.push(url);
      writeFileSync(target, 'STEP');
    },
    ...overrides,
  } as WorkerApi;
  const fetching = {
    api,
    job: { versionId: 'ver_top' },
    context: {},
    folder,
    signal: new AbortController().signal,
    seconds: 1,
  } as Fetching;
  return { asked, fetched: () => fetchAssembly(fetching) };
}

test('every file is fetched once, at any depth, by its path at the own address of the API, and named by what it holds', async () => {
  const { asked, fetched } = serving({
    top: {
      templates: [
        part('a', 'aaa'),
        part('again', 'aaa'),
        sub('foot', 'ver_foot'),
        { ident: 'in', assembly: { templates: [part('b', 'bbb')] } },
      ],
    },
    ver_foot: { templates: [part('a', 'aaa'), part('c', 'ccc'), sub('deep', 'ver_deep')] },
    ver_deep: { templates: [part('c', 'ccc')] },
  });
  const { asmJson, files } = await fetched();
  expect(asked.sort()).toEqual([
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

test('what the service cannot resolve fails the job in its words, naming the part; final unless a conversion is under way', async () => {
  const lacking = (details: object) => async () => {
    throw new ApiRefusal(409, 'not_converted', 'template leg: PRT-1 v1 has no STEP file yet', { ...details });
  };
  const top = { templates: [sub('foot', 'ver_foot')] };
  await expect(
    serving({}, { resolvedAsmJson: lacking({ final: false, cause: 'not_converted' }) }).fetched(),
  ).rejects.toMatchObject({
    code: 'not_converted',
    final: false,
    message: 'template leg: PRT-1 v1 has no STEP file yet',
  });
  await expect(
    serving({ top }, { resolvedAt: lacking({ final: true, cause: 'needs_classcad' }) }).fetched(),
  ).rejects.toMatchObject({
    code: 'needs_classcad',
    final: true,
    message: 'part foot: template leg: PRT-1 v1 has no STEP file yet',
  });
});

test('a download that never comes whole may pass; a location elsewhere and a broken form do not', async () => {
  const broken: Partial<WorkerApi> = {
    download: async () => {
      throw new BadDownload('the STEP file of a does not have the expected SHA-256');
    },
  };
  const top = { templates: [part('a', 'aaa')] };
  await expect(serving({ top }, broken).fetched()).rejects.toMatchObject({ code: 'bad_download', final: false });
  const elsewhere = {
    templates: [{ ident: 'a', reference: { ...part('a', 'aaa').reference, location: 'https://evil.example/x.stp' } }],
  };
  await expect(serving({ top: elsewhere }).fetched()).rejects.toMatchObject({ code: 'missing_file', final: true });
  await expect(serving({ top: { templates: 'none' } }).fetched()).rejects.toMatchObject({
    code: 'invalid_asm_json',
    final: true,
  });
});

test('an OFB file is left to the engine to refuse', async () => {
  const ofb = { ident: 'o', reference: { ...part('o', 'ooo').reference, type: 'ofb' } };
  const { asked, fetched } = serving({ top: { templates: [ofb] } });
  expect(Object.keys((await fetched()).files)).toEqual([]);
  expect(asked).toEqual([]);
});
