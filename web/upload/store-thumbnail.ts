// Gives a document the picture of its first attachment.
import pLimit from 'p-limit';
import { DocumentThumbnailDocument } from '../generated/operations.ts';
import { drawThumbnail, hasThumbnail } from '../preview/draw-thumbnail.ts';
import { createIdempotencyKey, execute } from '../shell/api-client.ts';
import { sendFile } from './send-file.ts';

const PIXELS = 512;
// one after the other, so that the first of several attachments decides
const oneAtATime = pLimit(1);

type Target = { versionId: string; document: { id: string } };

/**
 * Stores a picture of an uploaded attachment as the thumbnail of its document, unless the document has one or the file
 * cannot be drawn. Rejects if the service rejects the picture.
 */
export async function storeThumbnail(file: File, target: Target): Promise<void> {
  if (hasThumbnail(file.name, file.size)) await oneAtATime(() => drawAndStore(file, target));
}

async function drawAndStore(file: File, { versionId, document: { id } }: Target): Promise<void> {
  if (!(await needsThumbnail(id))) return;
  const canvas = await drawThumbnail(file, file.name, PIXELS).catch(() => null); // a damaged file has no picture
  const picture = await new Promise<Blob | null>((resolve) => (canvas ? canvas.toBlob(resolve) : resolve(null)));
  // asked again: a conversion may have ended while the file was drawn
  if (!picture || !(await needsThumbnail(id))) return;
  const image = new File([picture], 'thumbnail.png', { type: 'image/png' });
  const { signal } = new AbortController();
  await sendFile(image, { versionId, kind: 'thumbnail', key: createIdempotencyKey() }, signal, () => {});
}

async function needsThumbnail(id: string): Promise<boolean> {
  const { document } = await execute(DocumentThumbnailDocument, { id });
  return document !== null && document.thumbnailUrl === null;
}
