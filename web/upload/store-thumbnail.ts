// Gives a document the picture of its first attachment.
import { DocumentThumbnailDocument } from '../generated/operations.ts';
import { drawThumbnail, hasThumbnail } from '../preview/draw-thumbnail.ts';
import { createIdempotencyKey, execute } from '../shell/api-client.ts';
import { sendFile } from './send-file.ts';

const PIXELS = 512;

/**
 * Stores a picture of an uploaded attachment as the thumbnail of its document, unless the document has one or the file
 * cannot be drawn. Rejects if the service rejects the picture.
 */
export async function storeThumbnail(
  file: File,
  target: { versionId: string; document: { id: string } },
  signal: AbortSignal,
): Promise<void> {
  if (!hasThumbnail(file.name, file.size)) return;
  const { document } = await execute(DocumentThumbnailDocument, { id: target.document.id }, { signal });
  if (!document || document.thumbnailUrl) return;
  const canvas = await drawThumbnail(file, file.name, PIXELS).catch(() => null); // a damaged file has no picture
  const picture = await new Promise<Blob | null>((resolve) => (canvas ? canvas.toBlob(resolve) : resolve(null)));
  if (!picture) return;
  const { versionId } = target;
  const image = new File([picture], 'thumbnail.png', { type: 'image/png' });
  await sendFile(image, { versionId, kind: 'thumbnail', key: createIdempotencyKey() }, signal, () => {});
}
