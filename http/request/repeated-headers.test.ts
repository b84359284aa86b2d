import { expect, test } from 'vitest';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { refuseRepeated } from './repeated-headers.ts';

const repeated = (rawHeaders: string[], headers: Record<string, string> = {}): unknown => {
  try {
    refuseRepeated({ rawHeaders, headers });
  } catch (error) {
    return error instanceof DomainError && error.details.errors;
  }
  return [];
};

test('a header of which Node would take the first and another reader the last is refused when it comes twice', () => {
  const twice = (name: string) => [{ path: `/${name}`, message: 'is given more than once' }];
  expect(repeated(['Host', 'a', 'host', 'b'])).toEqual(twice('Host'));
  expect(repeated(['Authorization', 'Bearer a', 'Accept', '*/*', 'AUTHORIZATION', 'Bearer b'])).toEqual(
    twice('Authorization'),
  );
  expect(repeated(['Content-Type', 'application/json', 'Content-Type', 'text/plain'])).toEqual(twice('Content-Type'));
});

test('one that may come in parts, or has a comma of its own, is taken', () => {
  expect(repeated(['Host', 'a', 'If-Match', '"a"', 'If-Match', '"b"'], { 'if-match': '"a", "b"' })).toEqual([]);
  expect(repeated(['X-File-Name', 'a, b.step'], { 'x-file-name': 'a, b.step' })).toEqual([]);
});

test.each(['X-File-Name', 'X-Generator', 'X-Input-Sha256', 'X-Job-Attempt', 'Idempotency-Key', 'Last-Event-ID'])(
  '%s, whose values Node joins, is refused when it comes twice',
  (name) => {
    const wanted = [{ path: `/${name}`, message: 'is given more than once' }];
    expect(repeated([name, 'a', name.toUpperCase(), 'b'], { [name.toLowerCase()]: 'a, b' })).toEqual(wanted);
  },
);

test('a value that is called like a header is none', () => {
  expect(repeated(['Host', 'host', 'X-Generator', 'Host'])).toEqual([]);
});
