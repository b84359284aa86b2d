// Which files the page displays, and how.
import { FORMATS, formatOf } from '../../subgraphs/core/domain/formats/formats.ts';

/** How a file is displayed. */
export type PreviewKind = 'image' | 'pdf' | 'dxf' | 'text';

/** Larger files are only offered as a download, in bytes. */
const MAX_SIZE: Record<PreviewKind, number> = {
  image: 64 * 2 ** 20,
  pdf: 128 * 2 ** 20,
  dxf: 32 * 2 ** 20,
  text: 2 * 2 ** 20,
};
const TEXT_EXTENSIONS = new Set([
  'txt',
  'md',
  'csv',
  'tsv',
  'json',
  'xml',
  'yaml',
  'yml',
  'log',
  'ini',
  'toml',
  'html',
]);
const IMAGE_EXTENSIONS: Record<string, string> = { gif: 'image/gif', webp: 'image/webp' };

/** Returns how a file is displayed, and the media type of an image. Null: it is not displayed, or too large. */
export function previewOf(fileName: string, size: number): { kind: PreviewKind; mediaType: string } | null {
  const preview = previewByName(fileName);
  return preview && size <= MAX_SIZE[preview.kind] ? preview : null;
}

function previewByName(fileName: string): { kind: PreviewKind; mediaType: string } | null {
  const format = formatOf(fileName);
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  if (format === 'pdf' || format === 'dxf') return { kind: format, mediaType: FORMATS[format].mediaType };
  if (format === 'png' || format === 'jpeg' || format === 'svg')
    return { kind: 'image', mediaType: FORMATS[format].mediaType };
  const mediaType = IMAGE_EXTENSIONS[extension];
  if (mediaType) return { kind: 'image', mediaType };
  return TEXT_EXTENSIONS.has(extension) ? { kind: 'text', mediaType: 'text/plain' } : null;
}
