// Every view at three sizes, in light and dark mode: no barrier, no sideways scrolling, and as in the reference pictures.
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriers, startBrowser } from '../support/browser.ts';
import { needs, notRun } from '../support/needs.ts';
import { type Pdm, startPdm } from '../support/pdm.ts';
import {
  keepPicture,
  MAX_DIFFERENT,
  type Picture,
  type PictureTool,
  pictureTool,
  ReferencePictures,
} from '../support/pictures.ts';
import { createViewData, repositoryFolder, VIEWS, type View, type ViewData } from '../support/views.ts';

const SIZES = [
  { size: 'wide', viewport: { width: 1440, height: 900 }, pictureWidth: 480 },
  { size: 'phone', viewport: { width: 390, height: 844 }, pictureWidth: 195, isMobile: true, hasTouch: true },
  // 1440 × 900 at 200 % zoom
  { size: 'zoomed', viewport: { width: 720, height: 450 }, pictureWidth: 360, deviceScaleFactor: 2 },
] as const;
const MODES = ['light', 'dark'] as const;
const PATIENT = { timeout: 300_000 }; // a busy machine
const PAGE_MS = 60_000;

const reference = new ReferencePictures(join(import.meta.dirname, 'pictures'));
const nameOf = (size: string, view: string, mode: string) => `${size}-${view}-${mode}`;

const browserNeed = needs('chromium');
describe.skipIf(browserNeed.isMissing)(browserNeed.title('every view in a browser'), PATIENT, () => {
  let pdm: Pdm;
  let browser: Browser;
  let data: ViewData;
  let tool: PictureTool;
  let fonts: number[];
  const pictures = new Map<string, Picture>();
  let session: Awaited<ReturnType<BrowserContext['storageState']>>;
  let userId: string;
  beforeAll(async () => {
    const root = repositoryFolder();
    [pdm, browser] = await Promise.all([startPdm({ settings: { PDM_GIT_ALLOWED_FOLDERS: root } }), startBrowser()]);
    data = await createViewData(pdm, root);
    tool = await pictureTool(browser);
    fonts = await tool.measureFonts();
    const context = await browser.newContext({ baseURL: pdm.url });
    context.setDefaultTimeout(PAGE_MS);
    const page = await context.newPage();
    await page.goto(`/#token=${pdm.tokens.admin}`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    session = await context.storageState();
    userId = (await pdm.admin.get('/me')).body.id;
    await context.close();
  }, PATIENT.timeout);
  afterAll(async () => {
    await browser?.close();
    await pdm?.close();
    data?.close();
  });

  describe.each(SIZES)('$size', ({ size, pictureWidth, ...options }) => {
    let page: Page;
    let context: BrowserContext;
    const complaints: string[] = [];
    beforeAll(async () => {
      context = await browser.newContext({
        baseURL: pdm.url,
        storageState: session,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
        ...options,
      });
      context.setDefaultTimeout(PAGE_MS);
      await data.steady(context);
      page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
    }, PAGE_MS);
    afterAll(() => context?.close());

    it.each(VIEWS)('$name: has no barrier and does not scroll sideways', PATIENT, async (view) => {
      complaints.length = 0;
      await show(page, view);
      const found: string[] = [];
      for (const colorScheme of MODES) {
        await page.emulateMedia({ colorScheme });
        const picture = await tool.take(page, pictureWidth);
        pictures.set(nameOf(size, view.name, colorScheme), picture);
        if (ReferencePictures.areReplaced) reference.replace(nameOf(size, view.name, colorScheme), picture, fonts);
        const overflow = await page.evaluate(SIDEWAYS);
        if (overflow !== 0) found.push(`${colorScheme}: scrolls sideways by ${overflow} pixels`);
        for (const { rule, where, help } of await barriers(page, { minor: true }))
          found.push(`${colorScheme}: ${rule} (${help}) at ${where.join(', ')}`);
      }
      expect([...found, ...complaints]).toEqual([]);
    });
  });

  /** Opens the view, in light mode, as at the first visit or after it. */
  async function show(page: Page, view: View): Promise<void> {
    const context = page.context();
    if (view.signedOut) await context.clearCookies();
    else await context.addCookies(session.cookies);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/icon.svg'); // the origin without the page, which would write its lists
    await page.evaluate(
      `localStorage.clear(); ${view.first} || localStorage.setItem('first-steps-closed-${userId}', '1')`,
    );
    await page.goto(data.pathOf(view), { timeout: PAGE_MS });
    if (view.open) {
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await expect.poll(() => page.evaluate(IS_LOADING), { timeout: PAGE_MS }).toBe(false);
      await view.open(page);
    }
    await view.ready(page).first().waitFor();
    await expect.poll(() => page.evaluate(IS_LOADING), { timeout: PAGE_MS }).toBe(false);
  }

  it('looks as in the reference pictures', PATIENT, async ({ skip }) => {
    if (!reference.hasFonts(fonts)) skip(notRun('reference fonts'));
    const all = SIZES.flatMap(({ size }) => VIEWS.flatMap(({ name }) => MODES.map((mode) => nameOf(size, name, mode))));
    if (ReferencePictures.areReplaced) reference.keep(all);
    expect(reference.names).toEqual(all.sort());
    expect(pictures.size).toBeGreaterThan(0);
    const different: string[] = [];
    for (const [name, picture] of pictures) {
      const fraction = await tool.compare(picture, reference.read(name) ?? '');
      if (fraction > MAX_DIFFERENT)
        different.push(`${name}: ${(100 * fraction).toFixed(1)} %, see ${keepPicture(name, picture)}`);
    }
    expect(different).toEqual([]);
  });

  it('finds a difference when a button is missing', PATIENT, async () => {
    const page = await browser.newPage({ baseURL: pdm.url, viewport: SIZES[0].viewport });
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const before = await tool.take(page, SIZES[0].pictureWidth);
    expect(await tool.compare(before, await tool.take(page, SIZES[0].pictureWidth))).toBe(0);
    await page.evaluate(`document.querySelector('button').style.visibility = 'hidden'`);
    expect(await tool.compare(before, await tool.take(page, SIZES[0].pictureWidth))).toBeGreaterThan(MAX_DIFFERENT);
    await page.close();
  });
});

const SIDEWAYS = 'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)';
const IS_LOADING = `document.querySelector('.loading, .stage-loading, [aria-busy="true"]') !== null
  || [...document.querySelectorAll('img, .file-thumbnail:empty:not([data-failed])')].some((picture) => {
    const { width, top } = picture.getBoundingClientRect();
    return !picture.complete && width > 0 && top < innerHeight - 1; // others load when they are seen
  })`;
