// Reference pictures of the page. Chromium itself reduces, encodes and compares them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

const QUALITY = 0.8;
/** The largest difference of a channel, 0…255, that counts as equal. */
const TOLERANCE = 40;
/** The largest fraction of different pixels in an equal picture. */
export const MAX_DIFFERENT = 0.002;

/** A picture as a data URL. */
export type Picture = string;

export type PictureTool = {
  /** Photographs the page when it no longer changes, and reduces the picture to this width in pixels. */
  take(page: Page, width: number): Promise<Picture>;
  /** Returns the fraction of pixels that differ; 1 if the sizes differ. */
  compare(one: Picture, other: Picture): Promise<number>;
  /** Returns the widths of a text in the fonts of the page, which identify the installed fonts. */
  measureFonts(): Promise<number[]>;
};

/** Returns the tool; it uses a page of its own. */
export async function pictureTool(browser: Browser): Promise<PictureTool> {
  const page = await browser.newPage();
  const run = async <Result>(code: string, ...args: unknown[]): Promise<Result> =>
    (await page.evaluate(`(${code})(...${JSON.stringify(args)})`)) as Result;
  return {
    take: async (photographed, width) => {
      const shot = () => photographed.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' });
      let last = await shot();
      for (let next = await shot(); !next.equals(last); next = await shot()) last = next;
      return run(REDUCE, `data:image/png;base64,${last.toString('base64')}`, width, QUALITY);
    },
    compare: (one, other) => run(COMPARE, one, other, TOLERANCE),
    measureFonts: () => run(MEASURE_FONTS),
  };
}

const REDUCE = `async (url, width, quality) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((image.height * width) / image.width);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/webp', quality);
}`;

const COMPARE = `async (one, other, tolerance) => {
  const [a, b] = await Promise.all([one, other].map(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if ([0, 1, 2].some((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]) > tolerance)) different++;
  return different / (a.width * a.height);
}`;

// the families of web/styles/base.css
const MEASURE_FONTS = `() => [
  '100px system-ui, "Segoe UI", "Noto Sans", sans-serif',
  'bold 100px system-ui, "Segoe UI", "Noto Sans", sans-serif',
  '100px ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace',
].map((font) => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.font = font;
  return Math.round(context.measureText('Hexagon bolt M8 × 30, 0123456789 – v1').width);
})`;

/** A folder of reference pictures, with the widths of the fonts that they were made with. */
export class ReferencePictures {
  #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the run replaces the pictures instead of comparing them. */
  static get areReplaced(): boolean {
    return process.env.PDM_UPDATE_PICTURES === '1';
  }

  get names(): string[] {
    return readdirSync(this.#folder)
      .filter((file) => file.endsWith('.webp'))
      .map((file) => file.slice(0, -'.webp'.length))
      .sort();
  }

  hasFonts(widths: readonly number[]): boolean {
    return ReferencePictures.areReplaced || readFileSync(this.#fonts, 'utf8') === fontsText(widths);
  }

  read(name: string): Picture | null {
    const file = join(this.#folder, `${name}.webp`);
    return existsSync(file) ? `data:image/webp;base64,${readFileSync(file).toString('base64')}` : null;
  }

  /** Stores a picture that was made with these fonts. */
  replace(name: string, picture: Picture, fonts: readonly number[]): void {
    writePicture(this.#folder, name, picture);
    writeFileSync(this.#fonts, fontsText(fonts));
  }

  /** Deletes all other pictures. */
  keep(names: readonly string[]): void {
    for (const name of this.names) if (!names.includes(name)) rmSync(join(this.#folder, `${name}.webp`));
  }

  get #fonts(): string {
    return join(this.#folder, 'fonts.json');
  }
}

const fontsText = (widths: readonly number[]) => `[${widths.join(', ')}]\n`;

/** Writes the picture outside of the repository, and returns the path. */
export function keepPicture(name: string, picture: Picture): string {
  return writePicture(join(tmpdir(), 'pdm-pictures'), name, picture);
}

function writePicture(folder: string, name: string, picture: Picture): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.webp`);
  writeFileSync(file, Buffer.from(picture.slice(picture.indexOf(',') + 1), 'base64'));
  return file;
}
