// Runs the demo against a test service, and checks what it promises.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createApi } from '../../demo/api.ts';
import { type Assembly, componentsOf, levelsOf, type Part } from '../../demo/machine/component.ts';
import { type Demo, runDemo } from '../../demo/run-demo.ts';
import { probeSandbox } from '../../scheduler/sandbox/probe.ts';
import { testIsolation } from './isolation.ts';
import { type Pdm, startPdm } from './pdm.ts';

export type DemoService = { pdm: Pdm; repositories: string; sandbox: boolean; close(): Promise<void> };

/** Starts a service that may read repositories of a new folder and, where the machine has a sandbox, run generators. */
export async function startDemoService(): Promise<DemoService> {
  const repositories = realpathSync(mkdtempSync(join(tmpdir(), 'pdm-demo-')));
  const { works } = await probeSandbox(testIsolation());
  const pdm = await startPdm({
    scheduler: true,
    settings: { PDM_GIT_ALLOWED_FOLDERS: repositories, PDM_RUN_TIMEOUT_SECONDS: '110' },
  });
  return {
    pdm,
    repositories,
    sandbox: works,
    async close() {
      await pdm.close();
      rmSync(repositories, { recursive: true });
    },
  };
}

/** Runs the demo for a machine, with the token of an editor. Returns its result and the lines that it printed. */
export async function runTestDemo(
  { pdm, repositories }: DemoService,
  machine: Assembly,
): Promise<{ demo: Demo; lines: string[] }> {
  const lines: string[] = [];
  const api = createApi(pdm.url, pdm.tokens.editor);
  const demo = await runDemo(api, machine, { repositories }, (line) => lines.push(line));
  return { demo, lines };
}

/** Checks the documents, versions and revisions of the components, and that the engine converted all of them. */
export async function checkComponents({ pdm }: DemoService, machine: Assembly, demo: Demo): Promise<void> {
  const components = componentsOf(machine);
  for (const component of components) {
    const { id } = demo.documents.get(component.name)!.document;
    const { body } = await pdm.viewer.get(`/documents/${id}`);
    expect([body.name, body.kind]).toEqual([component.name, component.kind]);
    expect(body.revisions.length).toBeGreaterThanOrEqual(isChanged(component) ? 2 : 1);
    const files = (await pdm.viewer.get(`/versions/${body.versions[0].id}/artifacts`)).body.items;
    const current = files.filter(({ stale }: { stale: boolean }) => !stale).map(({ kind }: { kind: string }) => kind);
    expect(current).toEqual(expect.arrayContaining(['glb', 'properties', 'thumbnail']));
  }
  const version = (await pdm.viewer.get(`/documents/${demo.machine.id}`)).body.versions[0];
  const properties = (await pdm.viewer.get(`/versions/${version.id}/artifacts/properties/file`)).body;
  expect(properties.occurrencesWithoutMass).toBe(0);
  const { items } = (await pdm.viewer.get(`/versions/${version.id}/bom`)).body;
  expect(Math.max(...items.map(({ level }: { level: number }) => level))).toBe(levelsOf(machine));
}

const isChanged = (component: Part | Assembly): boolean => component.kind === 'model' && component.former !== undefined;

/** Checks the two releases, the branch and the take-over of the torque arm. */
export async function checkHistory({ pdm }: DemoService, { history }: Demo): Promise<void> {
  const { body } = await pdm.viewer.get(`/documents/${history.id}`);
  expect(body.workspaces.map(({ name }: { name: string }) => name)).toEqual(['main', 'lighter']);
  expect(body.revisions.map(({ label }: { label: string }) => label).sort()).toEqual(['A', 'B']);
  const { items } = (await pdm.viewer.get(`/documents/${history.id}/audit?limit=200`)).body;
  const actions = items.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['workspace.created', 'draft.taken_over', 'version.released']));
}

/** Checks the code document: synchronized, and run if the machine has a sandbox. */
export async function checkCode({ pdm, sandbox }: DemoService, { code }: Demo, lines: string[]): Promise<void> {
  const { body } = await pdm.viewer.get(`/documents/${code.id}`);
  expect([body.kind, body.versions.length]).toEqual(['code', 1]);
  const version = (await pdm.viewer.get(`/versions/${body.versions[0].id}`)).body;
  expect(version.code.commit).toMatch(/^[0-9a-f]{40}$/);
  const made = lines.filter((line) => /^ {2}the run created PRT-\d+ "Spur gear m2 z36"/.test(line));
  if (sandbox) expect(made).toHaveLength(1);
  else expect(lines.filter((line) => line.startsWith('  Not run: '))).toHaveLength(1);
}
