import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOBODY } from '../testing/sample.ts';
import { identityKey, open, seal } from './identity.ts';

const key = Buffer.alloc(32, 1);
const former = Buffer.alloc(32, 2);
const identity = { actor: NOBODY, requestId: 'r1' };
const now = Date.parse('2025-01-01T00:00:00Z');
const refusal = expect.objectContaining({ code: 'unauthenticated' });

describe('a sealed identity', () => {
  it('says who asks to the subgraph it was made for, about the body it was made for', () => {
    const opened = open([key], seal(key, identity, 'jobs', '{"query":"{ a }"}', now), 'jobs', now + 29_000);
    expect(opened).toMatchObject(identity);
    expect(opened.isFor('{"query":"{ a }"}')).toBe(true);
    expect(opened.isFor('{"query":"{ b }"}')).toBe(false);
  });

  it('brings all that the gateway knows of the request', () => {
    const whole = {
      ...identity,
      ...{ ip: '192.0.2.1', route: 'PATCH /documents/:id', ifMatch: '"a"', stale: '"b"' },
      ...{ once: { id: 'o1', request: 'r' }, seen: { of: 'documents' as const, id: 'doc_1', stamp: 's' } },
    };
    const { isFor: _, ...opened } = open([key], seal(key, whole, 'jobs', 'body', now), 'jobs', now);
    expect(opened).toEqual(whole);
  });

  it('is refused by another subgraph, after 30 seconds, and under another key', () => {
    const sealed = seal(key, identity, 'jobs', 'body', now);
    expect(() => open([key], sealed, 'artifacts', now)).toThrow(refusal);
    expect(() => open([key], sealed, 'jobs', now + 31_000)).toThrow(refusal);
    expect(() => open([former], sealed, 'jobs', now)).toThrow(refusal);
    expect(() => open([key], `${sealed}.more`, 'jobs', now)).toThrow(refusal);
  });

  it('is accepted under the former key while a key is changed', () => {
    expect(open([key, former], seal(former, identity, 'jobs', 'body', now), 'jobs', now)).toMatchObject(identity);
  });

  it('is refused when a character of it is changed', () => {
    const sealed = seal(key, identity, 'jobs', 'body', now);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '.', '_', '0'), (at, character) => {
        fc.pre(sealed[at] !== character);
        expect(() => open([key], sealed.slice(0, at) + character + sealed.slice(at + 1), 'jobs', now)).toThrow(refusal);
      }),
    );
  });

  it.each([undefined, '', '.', 'a.b.c', ['x'], 7])('is refused when it is no seal at all: %j', (sealed) => {
    expect(() => open([key], sealed, 'jobs', now)).toThrow(refusal);
  });

  it('needs a key of 32 bytes', () => {
    expect(() => seal(Buffer.alloc(31), identity, 'jobs', '')).toThrow('32 bytes');
    expect(identityKey(Buffer.alloc(32, 3))).toHaveLength(32);
    expect(identityKey(Buffer.alloc(32, 3))).not.toEqual(Buffer.alloc(32, 3));
  });
});
