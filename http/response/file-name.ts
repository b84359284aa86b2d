// Names of files at the border: out of a request header, into a response header. No other code puts a user's text into a header.
import { safeFileName } from '../../subgraphs/core/domain/text/file-name.ts';
import { decodeUtf8 } from '../../subgraphs/core/domain/text/decode-utf8.ts';

/** The file name in X-File-Name, safe as it is stored: as it is, or, for clients that send ASCII alone, behind `UTF-8''` with percent signs (RFC 8187). */
export function readFileName(header: string | undefined): string {
  const text = headerText(header) ?? '';
  const escaped = /^utf-8'[\w-]*'(.*)$/is.exec(text)?.[1];
  return safeFileName((escaped && unescaped(escaped)) ?? text);
}

/** The text of a header. Node hands over its bytes as latin1: they are read as UTF-8, and as latin1 only when they are not. */
export function headerText<T>(header: T): T | string {
  return typeof header === 'string' ? (decodeUtf8(Buffer.from(header, 'latin1')) ?? header) : header;
}

/** What stands behind the percent signs of a text, read as UTF-8; null when it is none. */
export function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Content-Disposition of a download (RFC 6266): always an attachment, the name in ASCII for old clients and in full for the others. */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percent(fileName)}`;
}

// RFC 8187: encodeURIComponent leaves four characters alone that are not allowed here
function percent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
