// Finds the gizmo of the placing stage in a browser.
import type { Locator, Page } from 'playwright-core';

/** Waits for the X arrow of the gizmo; returns a point near its right tip, in window coordinates. */
export async function tipOfXArrow(page: Page, stage: Locator): Promise<[number, number]> {
  const box = (await stage.boundingBox())!;
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; ) {
    const png = (await page.screenshot({ clip: box, scale: 'css' })).toString('base64');
    const tip = (await page.evaluate(`(async () => {
          const image = new Image();
          image.src = 'data:image/png;base64,${png}';
          await image.decode();
          const { width, height } = image;
          const pen = new OffscreenCanvas(width, height).getContext('2d');
          pen.drawImage(image, 0, 0);
          const { data } = pen.getImageData(0, 0, width, height);
          let tip = null;
          for (let x = width - 1; x >= 0 && !tip; x--)
            for (let y = 0; y < height && !tip; y++) {
              const at = (y * width + x) * 4;
              if (data[at] > 200 && data[at + 1] < 60 && data[at + 2] < 60) tip = { x, y };
            }
          return tip;
        })()`)) as { x: number; y: number } | null;
    if (tip) return [box.x + tip.x - 4, box.y + tip.y];
  }
  throw new Error('The 3D view shows no gizmo.');
}

const TIMEOUT_MS = 30_000;
