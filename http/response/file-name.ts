// Encodes and decodes file names in headers. No other code puts user text into a header.

import { decodeUtf8 } from '../../subgraphs/core/domain/text/decode-utf8.ts';
import { safeFileName } from '../../subgraphs/core/domain/text/file-name.ts';

/**
 * Returns the sanitized file name in X-File-Name, which is UTF-8 or, after `UTF-8''`, percent-encoded ASCII (RFC 8187).
 */
export function readFileName(header: string | undefined): string {
  const text = decodeHeader(header) ?? '';
  const escaped = /^utf-8'[\w-]*'(.*)$/is.exec(text)?.[1];
  return safeFileName((escaped && percentDecode(escaped)) ?? text);
}

/** Decodes header text. Node provides the bytes as latin1; they are decoded as UTF-8 if they are valid UTF-8. */
export function decodeHeader<T>(header: T): T | string {
  return typeof header === 'string' ? (decodeUtf8(Buffer.from(header, 'latin1')) ?? header) : header;
}

/** Decodes percent-encoded UTF-8; null if it is invalid. */
export function percentDecode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Returns the Content-Disposition of a download (RFC 6266): an attachment, with an ASCII name for old clients and the
 * full name.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncode(fileName)}`;
}

// RFC 8187 forbids four characters that encodeURIComponent does not encode.
function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
