import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VIEWER } from '../testing/sample.ts';
import { identityKey, openIdentity, sealIdentity } from './identity.ts';

const key = Buffer.alloc(32, 1);
const former = Buffer.alloc(32, 2);
const identity = { actor: VIEWER, requestId: 'r1' };
const now = Date.parse('2025-01-01T00:00:00Z');
const refusal = expect.objectContaining({ code: 'unauthenticated' });

describe('a sealed identity', () => {
  it('accepts an identity only in the subgraph and with the body it was sealed for', () => {
    const opened = openIdentity(
      [key],
      sealIdentity(key, identity, 'jobs', '{"query":"{ a }"}', now),
      'jobs',
      now + 29_000,
    );
    expect(opened).toMatchObject(identity);
    expect(opened.isFor('{"query":"{ a }"}')).toBe(true);
    expect(opened.isFor('{"query":"{ b }"}')).toBe(false);
  });

  it('restores the whole request context from a sealed identity', () => {
    const whole = {
      ...identity,
      ip: '192.0.2.1',
      route: 'PATCH /documents/:id',
      ifMatch: '"a"',
      currentTagIfStale: '"b"',
      idempotency: { id: 'o1', request: 'r' },
      expected: { of: 'documents' as const, id: 'doc_1', tag: 's' },
    };
    const { isFor: _, ...opened } = openIdentity([key], sealIdentity(key, whole, 'jobs', 'body', now), 'jobs', now);
    expect(opened).toEqual(whole);
  });

  it('rejects an identity in another subgraph, after 30 seconds, and with another key', () => {
    const sealed = sealIdentity(key, identity, 'jobs', 'body', now);
    expect(() => openIdentity([key], sealed, 'artifacts', now)).toThrow(refusal);
    expect(() => openIdentity([key], sealed, 'jobs', now + 31_000)).toThrow(refusal);
    expect(() => openIdentity([former], sealed, 'jobs', now)).toThrow(refusal);
    expect(() => openIdentity([key], `${sealed}.more`, 'jobs', now)).toThrow(refusal);
  });

  it('accepts an identity with the former key during a rotation', () => {
    expect(openIdentity([key, former], sealIdentity(former, identity, 'jobs', 'body', now), 'jobs', now)).toMatchObject(
      identity,
    );
  });

  it('rejects an identity when a character is changed', () => {
    const sealed = sealIdentity(key, identity, 'jobs', 'body', now);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '.', '_', '0'), (at, character) => {
        fc.pre(sealed[at] !== character);
        expect(() => openIdentity([key], sealed.slice(0, at) + character + sealed.slice(at + 1), 'jobs', now)).toThrow(
          refusal,
        );
      }),
    );
  });

  it.each([undefined, '', '.', 'a.b.c', ['x'], 7])('rejects a malformed identity: %j', (sealed) => {
    expect(() => openIdentity([key], sealed, 'jobs', now)).toThrow(refusal);
  });

  it('requires a key of 32 bytes', () => {
    expect(() => sealIdentity(Buffer.alloc(31), identity, 'jobs', '')).toThrow('32 bytes');
    expect(identityKey(Buffer.alloc(32, 3))).toHaveLength(32);
    expect(identityKey(Buffer.alloc(32, 3))).not.toEqual(Buffer.alloc(32, 3));
  });
});
