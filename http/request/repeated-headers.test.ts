import { expect, test } from 'vitest';
import { DomainError } from '../../subgraphs/core/domain/errors.ts';
import { rejectRepeatedHeaders } from './repeated-headers.ts';

const repeated = (rawHeaders: string[], headers: Record<string, string> = {}): unknown => {
  try {
    rejectRepeatedHeaders({ rawHeaders, headers });
  } catch (error) {
    return error instanceof DomainError && error.details.errors;
  }
  return [];
};

test('rejects a repeated header of which readers might use different values', () => {
  const twice = (name: string) => [{ path: `/${name}`, message: 'must not be repeated' }];
  expect(repeated(['Host', 'a', 'host', 'b'])).toEqual(twice('Host'));
  expect(repeated(['Authorization', 'Bearer a', 'Accept', '*/*', 'AUTHORIZATION', 'Bearer b'])).toEqual(
    twice('Authorization'),
  );
  expect(repeated(['Content-Type', 'application/json', 'Content-Type', 'text/plain'])).toEqual(twice('Content-Type'));
});

test('accepts repeated list headers and a comma in a single value', () => {
  expect(repeated(['Host', 'a', 'If-Match', '"a"', 'If-Match', '"b"'], { 'if-match': '"a", "b"' })).toEqual([]);
  expect(repeated(['X-File-Name', 'a, b.step'], { 'x-file-name': 'a, b.step' })).toEqual([]);
});

test.each(['X-File-Name', 'X-Generator', 'X-Input-Sha256', 'X-Job-Attempt', 'Idempotency-Key', 'Last-Event-ID'])(
  'rejects a repeated %s, whose values Node joins',
  (name) => {
    const expected = [{ path: `/${name}`, message: 'must not be repeated' }];
    expect(repeated([name, 'a', name.toUpperCase(), 'b'], { [name.toLowerCase()]: 'a, b' })).toEqual(expected);
  },
);

test('ignores values that equal a header name', () => {
  expect(repeated(['Host', 'host', 'X-Generator', 'Host'])).toEqual([]);
});
