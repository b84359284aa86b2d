import { hash } from 'node:crypto';

/** A strong ETag of an answer: the same bytes, the same tag. */
export function etagOf(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 32)}"`;
}

/** Does If-Match name this tag? Weak tags never match here (RFC 9110, 13.1.1). */
export function namesStrongTag(header: string, etag: string): boolean {
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag === etag);
}

/** Does If-None-Match name this tag, or any? Weak tags compare like strong ones here (RFC 9110, 13.1.2). */
export function namesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((tag) => tag.replace(/^W\//, '') === etag);
}
