// The first sign-in in a browser: the page asks for a name and replaces the first token.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser } from '../support/browser.ts';
import { client } from '../support/client.ts';
import { needs } from '../support/needs.ts';
import { type ServiceProcess, startProcess } from '../support/service-process.ts';

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('the first sign-in in a browser'), { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pdm-first-page-'));
  let service: ServiceProcess;
  let browser: Browser;
  beforeAll(async () => {
    service = await startProcess(folder, { PDM_ROLES: 'store,api' });
    browser = await startBrowser({ flat: true });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.end('SIGKILL all');
    rmSync(folder, { recursive: true, force: true });
  });

  it('asks for a name, shows the new token once, and revokes the first token', async () => {
    const firstToken = service.token();
    const page = await browser.newPage({ baseURL: service.url });
    await page.goto(`/#token=${firstToken}`);
    const setUp = page.getByRole('dialog', { name: 'Set up your account' });
    await setUp.getByLabel('Your name').fill('Ada Lovelace');
    expect(await barriers(page)).toEqual([]);
    await setUp.getByRole('button', { name: 'Continue' }).click();

    const shown = page.getByRole('dialog', { name: 'Your token' });
    const token = await shown.getByLabel('Token').inputValue();
    expect(await barriers(page)).toEqual([]);
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'New document' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    const api = `${service.url}/api/v1`;
    expect((await client(api, token).get('/me')).body).toMatchObject({ name: 'Ada Lovelace', role: 'admin' });
    expect((await client(api, firstToken).get('/me')).status).toBe(401);
  });
});
