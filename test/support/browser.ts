// A real browser on the running service: Debian's Chromium, driven by playwright-core.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { Role } from '../../subgraphs/core/domain/access/permissions.ts';
import { findChromium } from './needs.ts';
import type { Pdm } from './pdm.ts';

/**
 * Starts the browser. WebGL is rendered in software, so that the 3D view is tested too; `flat` disables it, which is
 * faster.
 */
export async function startBrowser({ flat = false } = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('Chromium is not installed.');
  const drawing = flat
    ? ['--disable-gpu']
    : ['--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...drawing] });
}

export type Visit = {
  page: Page;
  context: BrowserContext /** What the page complained of: exceptions, failed loads, refusals of its policy. */;
  complaints: string[];
};

/** Opens a separate browser context, signed in with the token of the role through the link of the first start. */
export async function visit(
  browser: Browser,
  pdm: Pdm,
  role: Role = 'editor',
  options: {
    dark?: boolean;
    path?: string;
    locale?: string /** A small screen that is touched. */;
    touch?: boolean;
  } = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: pdm.url,
    ...(options.touch
      ? { viewport: { width: 400, height: 820 }, hasTouch: true, isMobile: true }
      : { viewport: { width: 1280, height: 800 } }),
    colorScheme: options.dark ? 'dark' : 'light',
    locale: options.locale,
  });
  context.setDefaultTimeout(15_000); // shorter than the test timeout, so that a missing element is named
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  // The first visit waits until the service has bundled the page.
  await page.goto(`${options.path ?? '/'}#token=${pdm.tokens[role]}`, { timeout: 60_000 });
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  return { page, context, complaints };
}

/** Returns whether the element has the keyboard focus. */
export const hasFocus = (where: Locator): Promise<boolean> =>
  where.evaluate(
    (element: { ownerDocument: { activeElement: unknown } }) => element.ownerDocument.activeElement === element,
  );

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

// axe checks this rule of WCAG 2.2 AA only on request
const AXE_OPTIONS = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

export type Barrier = { rule: string; impact: string; where: string[]; help: string };

/**
 * Returns the serious and critical axe violations of the current page (WCAG 2.2 A and AA and best practices), with `minor`
 * those of every impact.
 */
export async function barriers(page: Page, { minor = false } = {}): Promise<Barrier[]> {
  await page.evaluate(readFileSync(AXE, 'utf8')); // not as a script element, which the content security policy blocks
  const found: unknown = await page.evaluate(
    `axe.run(document, ${JSON.stringify(AXE_OPTIONS)}).then(({ violations }) => JSON.stringify(violations))`,
  );
  const violations: { id: string; impact: string; help: string; nodes: { target: unknown[] }[] }[] = JSON.parse(
    String(found),
  );
  return violations
    .filter(({ impact }) => minor || impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => ({
      rule: id,
      impact,
      help,
      where: nodes.map(({ target }) => target.join(' ')),
    }));
}
