// Draws small pictures of files.
import type { Drawing } from './dxf.ts';
import { type PreviewKind, previewOf } from './preview-kind.ts';

/** Larger files are not read for a small picture, in bytes. */
const MAX_SIZE = 16 * 2 ** 20;
const TEXT_LINES = 36;
const TEXT_COLUMNS = 60;
const PAPER = '#ffffff';
const INK = '#20262d';

/** Returns whether a small picture of a file can be drawn. */
export const hasThumbnail = (fileName: string, size: number): boolean =>
  size <= MAX_SIZE && previewOf(fileName, size) !== null;

/**
 * Draws a file into a square of `pixels`: an image, the first page of a PDF file, a DXF drawing or the first lines of a
 * text. Throws an error with a message for the user if the file is damaged, empty or has no small picture.
 */
export async function drawThumbnail(content: Blob, fileName: string, pixels: number): Promise<HTMLCanvasElement> {
  const preview = previewOf(fileName, content.size);
  if (!preview) throw new Error(`The page cannot display ${fileName}.`);
  const canvas = document.createElement('canvas');
  canvas.width = pixels;
  canvas.height = pixels;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The browser cannot draw pictures.');
  context.fillStyle = PAPER;
  context.fillRect(0, 0, pixels, pixels);
  await DRAW[preview.kind](context, content, preview.mediaType);
  return canvas;
}

type Draw = (context: CanvasRenderingContext2D, content: Blob, mediaType: string) => Promise<void>;

const DRAW: Record<PreviewKind, Draw> = {
  async image(context, content, mediaType) {
    // As an image, an SVG file runs no scripts and loads nothing.
    const url = URL.createObjectURL(new Blob([content], { type: mediaType }));
    try {
      const image = new Image();
      image.src = url;
      await image.decode().catch((): never => {
        throw new Error('The image is damaged.');
      });
      // An SVG file without a size has none here, either.
      drawFitted(context, image, image.naturalWidth || 1, image.naturalHeight || 1);
    } finally {
      URL.revokeObjectURL(url);
    }
  },

  async pdf(context, content) {
    const { openPdf } = await import('./pdf.ts');
    const pdf = await openPdf(await content.arrayBuffer());
    try {
      const page = document.createElement('canvas');
      await pdf.draw(1, page, context.canvas.width / devicePixelRatio);
      drawFitted(context, page, page.width, page.height);
    } finally {
      await pdf.close();
    }
  },

  async dxf(context, content) {
    const { readDxf } = await import('./dxf.ts');
    drawLines(context, readDxf(await content.text()));
  },

  async text(context, content) {
    const height = context.canvas.height / (TEXT_LINES + 2);
    context.fillStyle = INK;
    context.font = `${height * 0.85}px monospace`;
    const lines = (await content.slice(0, TEXT_LINES * 400).text()).split(/\r?\n/).slice(0, TEXT_LINES);
    if (lines.every((line) => line.trim() === '')) throw new Error('The text is empty.');
    for (const [n, line] of lines.entries())
      context.fillText(line.slice(0, TEXT_COLUMNS), 1.5 * height, (n + 1.8) * height);
  },
};

function drawFitted(context: CanvasRenderingContext2D, image: CanvasImageSource, width: number, height: number): void {
  const { canvas } = context;
  const scale = Math.min(canvas.width / width, canvas.height / height);
  const [w, h] = [width * scale, height * scale];
  context.drawImage(image, (canvas.width - w) / 2, (canvas.height - h) / 2, w, h);
}

function drawLines(context: CanvasRenderingContext2D, { lines, texts, box }: Drawing): void {
  if (!box) throw new Error('The drawing is empty.');
  const [left, bottom, width, height] = box;
  const { canvas } = context;
  const margin = canvas.width * 0.04;
  const scale = (canvas.width - 2 * margin) / Math.max(width, height, 1e-9);
  const x = (value: number) => canvas.width / 2 + (value - left - width / 2) * scale;
  const y = (value: number) => canvas.height / 2 - (value - bottom - height / 2) * scale;
  context.lineWidth = Math.max(1, canvas.width / 256);
  for (const { points, color } of lines) {
    context.strokeStyle = color ?? INK;
    context.beginPath();
    for (const [px, py] of points) context.lineTo(x(px), y(py));
    context.stroke();
  }
  for (const { at, text, height: size, degrees, color } of texts) {
    context.save();
    context.translate(x(at[0]), y(at[1]));
    context.rotate((-degrees * Math.PI) / 180);
    context.fillStyle = color ?? INK;
    context.font = `${(size * scale) / 0.72}px sans-serif`;
    context.fillText(text, 0, 0);
    context.restore();
  }
}
