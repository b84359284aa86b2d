// ETags and the conditional headers If-Match and If-None-Match.
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

/**
 * Returns a strong ETag: equal bytes have equal tags. Its first half, the If-Match tag, is the hash of `editablePart`,
 * the content that users edit. Background updates (thumbnails, counts, heartbeats, check-in requests) change only the
 * second half, so that caches see them and If-Match does not.
 */
export function etagOf(body: string, editablePart: string = withoutBackgroundFields(body)): string {
  return editablePart === body
    ? `"${shortHash(editablePart, 32)}"`
    : `"${shortHash(editablePart, 32)}.${shortHash(body, 16)}"`;
}

function shortHash(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}

// A quotation mark after a brace or comma in JSON text starts a name: inside of a string it is escaped, and the closing
// one of a string is not followed by a name. Lists match only if they contain no lists.
const BACKGROUND_FIELDS =
  /(?<=[{,])"(?:(?:thumbnailUrl|documentCount|expiresAt|lastUsedAt)":(?:null|\d+|"(?:[^"\\]|\\.)*")|checkinRequests":\[(?:[^"[\]]|"(?:[^"\\]|\\.)*")*\])/g;

function withoutBackgroundFields(body: string): string {
  return body.replace(BACKGROUND_FIELDS, '');
}

/**
 * Whether the client's copy is current (RFC 9110, 13.2.2). Throws `precondition_failed` if If-Match names another tag.
 */
export function checkPreconditions(
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: IncomingHttpHeaders,
  etag: string,
): boolean {
  if (ifMatch !== undefined && ifMatch.trim() !== '*' && !matchesIfMatch(ifMatch, etag))
    refuse('precondition_failed', 'The resource has changed: its ETag does not match If-Match. Read it again.', {
      etag,
    });
  return matchesIfNoneMatch(ifNoneMatch, etag);
}

/** Whether an If-Match header lists this tag, ignoring background updates. Weak tags never match (RFC 9110, 13.1.1). */
export function matchesIfMatch(header: string, etag: string): boolean {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => ifMatchTag(tag) === ifMatchTag(etag));
}

/** Whether an If-Match header is `*` or a list of tags (RFC 9110, 13.1.1). */
export function isValidIfMatch(header: string): boolean {
  const parts = header
    .replace(/(?:W\/)?"[^"]*"/g, '"')
    .split(',')
    .map((part) => part.trim());
  return header.trim() === '*' || (parts.includes('"') && parts.every((part) => part === '"' || part === ''));
}

function ifMatchTag(etag: string): string {
  return etag.replace(/\.[\w-]*"$/, '"');
}

/** Whether an If-None-Match header lists this tag or is `*`. Weak tags compare like strong ones (RFC 9110, 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}
