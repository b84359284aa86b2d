// Names of files at the border: out of a request header, into a response header. No other code puts a user's text into a header.
import { safeFileName } from '../subgraphs/core/domain/file-name.ts';

/** The file name in X-File-Name, safe as it is stored. Node hands over header bytes as latin1: they are read as UTF-8, and as latin1 only when they are not. */
export function readFileName(header: string | undefined): string {
  const bytes = Buffer.from(header ?? '', 'latin1');
  const text = utf8(bytes) ?? bytes.toString('latin1');
  return safeFileName(text);
}

/** Content-Disposition of a download (RFC 6266): always an attachment, the name in ASCII for old clients and in full for the others. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percent(fileName)}`;
}

// RFC 8187: encodeURIComponent leaves four characters alone that are not allowed here
function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

function utf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
