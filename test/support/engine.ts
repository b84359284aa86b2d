// The built-in engine for a test service, and models to convert.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type OcctEngineOptions, occtEngine } from '../../scheduler/engines/occt/engine.ts';
import { startScheduler } from '../../scheduler/scheduler.ts';
import type { Answer } from './client.ts';
import type { Pdm } from './pdm.ts';

/** Starts a scheduler with the built-in engine in this process, with one slot by default. */
export async function startEngine(
  { url, tokens, services }: Pdm,
  options: Partial<OcctEngineOptions> = {},
): Promise<{ stop(): Promise<void> }> {
  const workDir = mkdtempSync(join(tmpdir(), 'pdm-engine-'));
  const engine = occtEngine({ slots: 1, workDir, lowMemory: true, log: () => undefined, ...options });
  const api = { apiUrl: `${url}/api/v1`, token: tokens.worker };
  const scheduler = await startScheduler({ ...api, host: '127.0.0.1', port: 0, workDir, engine, log: services.log });
  return {
    async stop() {
      await scheduler.stop();
      rmSync(workDir, { recursive: true, force: true });
    },
  };
}

/** Uploads the source of a new model. `path` is the address of its draft. */
export async function uploadModel(
  { editor, viewer }: Pdm,
  bytes: Buffer,
  fileName: string,
): Promise<{ source: Answer['body']; workspace: Answer['body']; path: string }> {
  const { body: document } = await editor.post('/documents', { name: fileName, kind: 'model' });
  const [workspace] = (await viewer.get(`/documents/${document.id}/workspaces`)).body.items;
  const { status, body: source } = await editor.upload(workspace.draftId, 'source', bytes, { fileName });
  expect(status).toBe(201);
  return { source, workspace, path: `/versions/${workspace.draftId}` };
}
