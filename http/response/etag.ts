import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { refuse } from '../../subgraphs/core/domain/errors.ts';

/**
 * A strong ETag of an answer: the same bytes, the same tag. Its first half is that of what people write, `own`; what comes by itself (pictures that an engine made, counts,
 * heartbeats, who asks for what somebody holds) moves the second half alone, so that caches see it and writers are not held up by it.
 */
export function etagOf(body: string, own: string = withoutWhatComes(body)): string {
  return own === body ? `"${shortHash(own, 32)}"` : `"${shortHash(own, 32)}.${shortHash(body, 16)}"`;
}

function shortHash(text: string, length: number): string {
  return hash('sha256', text, 'base64url').slice(0, length);
}

// In the text of JSON a quotation mark behind a brace or comma begins a name: inside of a text it has a backslash, and the one that ends a text is not followed by a name.
// Of lists those without lists in them.
const WHAT_COMES =
  /(?<=[{,])"(?:(?:thumbnailUrl|documentCount|expiresAt|lastUsedAt)":(?:null|\d+|"(?:[^"\\]|\\.)*")|checkinRequests":\[(?:[^"[\]]|"(?:[^"\\]|\\.)*")*\])/g;

function withoutWhatComes(body: string): string {
  return body.replace(WHAT_COMES, '');
}

/** Does a reader have what has this tag already (RFC 9110, 13.2.2)? Refuses with `precondition_failed` when it asked, by If-Match, for something else. */
export function isKnown({ 'if-match': wanted, 'if-none-match': known }: IncomingHttpHeaders, etag: string): boolean {
  if (wanted !== undefined && wanted.trim() !== '*' && !namesStrongTag(wanted, etag))
    refuse('precondition_failed', 'What is there is not what If-Match names. Read it without that header.', { etag });
  return namesTag(known, etag);
}

/** Does If-Match name this tag, or one that differs only in what comes by itself? Weak tags never match here (RFC 9110, 13.1.1). */
export function namesStrongTag(header: string, etag: string): boolean {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => ownHalf(tag) === ownHalf(etag));
}

/** Whether If-Match is a star or a list of tags (RFC 9110, 13.1.1). */
export function isStarOrTags(header: string): boolean {
  const parts = header
    .replace(/(?:W\/)?"[^"]*"/g, '"')
    .split(',')
    .map((part) => part.trim());
  return header.trim() === '*' || (parts.includes('"') && parts.every((part) => part === '"' || part === ''));
}

function ownHalf(etag: string): string {
  return etag.replace(/\.[\w-]*"$/, '"');
}

/** Does If-None-Match name this tag, or any? Weak tags compare like strong ones here (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}
