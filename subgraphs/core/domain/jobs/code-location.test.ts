import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { type GitPolicy, normalizeRepoUrl, validateCodeLocation } from './code-location.ts';

const POLICY: GitPolicy = { hosts: null, local: [], networks: [], caFile: null };
const valid = { repoUrl: 'https://example.com/team/parts.git', ref: 'main', path: 'generators/rack' };

const errorPathsOf = (changes: Partial<typeof valid>, policy: Partial<GitPolicy> = {}): string[] => {
  try {
    validateCodeLocation({ ...valid, ...changes }, { ...POLICY, ...policy });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details.errors as { path: string }[]).map(({ path }) => path);
  }
};

describe('the repository URL', () => {
  test.each([
    'https://example.com/team/parts.git',
    'https://git.example.com',
    'https://example.com/a/b%20c',
    'https://example.com/%E9%83%A8%E5%93%81.git',
    'https://8.8.8.8/x',
  ])('accepts %s', (repoUrl) => {
    expect(validateCodeLocation({ ...valid, repoUrl }, POLICY).repoUrl).toBe(repoUrl);
  });

  test.each([
    ['https://example.com/team/parts.git', 'an upper-case host', 'https://Example.COM/team/parts.git'],
    ['https://example.com/team/parts.git', 'the default port', 'https://example.com:443/team/parts.git'],
    ['https://example.com/team/parts.git', 'a trailing slash', ' https://example.com/team/parts.git/ '],
    ['https://example.com/team/parts.git', 'escaped letters', 'https://example.com/t%65am/p%61rts.git'],
    ['https://example.com', 'a root slash', 'https://example.com/'],
    ['https://example.com/%E9%83%A8', 'lower-case escapes', 'https://example.com/%e9%83%a8'],
    ['https://8.8.8.8/x', 'an integer address', 'https://134744072/x'],
    ['https://[2606:4700::1111]/x', 'IPv6 zeros', 'https://[2606:4700:0:0::1111]/x'],
    ['/srv/r/rack', 'a file URL', 'file:///srv/r/rack'],
  ])('normalizes to %s: %s', (normalized, _title, repoUrl) => {
    expect(validateCodeLocation({ ...valid, repoUrl }, { ...POLICY, local: ['/srv/r'] }).repoUrl).toBe(normalized);
  });

  test('keeps URLs apart that differ in .git, the case of the path or the port', () => {
    const hosts = ['example.com', 'example.com:8443'];
    const addresses = [
      'https://example.com/a',
      'https://example.com/a.git',
      'https://example.com/A',
      'https://example.com:8443/a',
      'https://example.com/a%20',
    ];
    for (const repoUrl of addresses)
      expect(validateCodeLocation({ ...valid, repoUrl }, { ...POLICY, hosts }).repoUrl).toBe(repoUrl);
  });

  test.each([
    ...[
      'http://example.com/a',
      'git://example.com/a',
      'ssh://example.com/a',
      'git@example.com:a/b',
      'ext::sh -c id',
      'fd::17',
      'file:///etc',
      '/etc',
    ],
    ...[
      'https://user@example.com/a',
      'https://user:secret@example.com/a',
      'https://example.com:8443/a',
      'https://example.com/a?b=c',
      'https://example.com/a#b',
    ],
    ...[
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://2130706433/a',
      'https://0x7f.1/a',
      'https://0177.0.0.1/a',
      'https://10.0.0.1/a',
      'https://169.254.169.254/latest',
    ],
    ...[
      'https://[::ffff:10.0.0.1]/a',
      'https://[fd00::1]/a',
      'https://[fe80::1]/a',
      'https://192.168.1.1/a',
      'https://100.64.0.1/a',
      'https://0.0.0.0/a',
    ],
    ...[
      'https://example.com/../a',
      'https://example.com/%2e%2e/a',
      'https://example.com/a%00',
      'https://example.com/a%2fb',
      'https://example.com/a%C0%AFb',
      'https://example.com/a%E2%80%AEb',
      'https://example.com/a%E9',
      'https://example.com/a b',
    ],
    ...[
      'https://example.com\\@127.0.0.1/a',
      'https://example.com/\na',
      '-oProxyCommand=id',
      '--upload-pack=id',
      'https://',
      'https:///a',
      'https://exa_mple.com/a',
      '',
    ],
  ])('rejects %j', (repoUrl) => {
    expect(errorPathsOf({ repoUrl })).toEqual(['/repoUrl']);
  });

  test('rejects more than 2,048 characters', () => {
    expect(errorPathsOf({ repoUrl: `https://example.com/${'a'.repeat(2048)}` })).toEqual(['/repoUrl']);
  });

  test('accepts only the allowed hosts with their ports', () => {
    const hosts = ['git.example.com:8443', 'example.org'];
    expect(errorPathsOf({ repoUrl: 'https://git.example.com:8443/a' }, { hosts })).toEqual([]);
    expect(errorPathsOf({ repoUrl: 'https://example.org/a' }, { hosts })).toEqual([]);
    for (const repoUrl of [
      'https://git.example.com/a',
      'https://example.org:8443/a',
      'https://example.com/a',
      'https://a.example.org/a',
    ])
      expect(errorPathsOf({ repoUrl }, { hosts })).toEqual(['/repoUrl']);
  });

  test('accepts local folders only below an allowed one', () => {
    const local = ['/srv/repositories'];
    for (const repoUrl of ['/srv/repositories/rack', 'file:///srv/repositories/rack'])
      expect(errorPathsOf({ repoUrl }, { local })).toEqual([]);
    for (const repoUrl of [
      '/srv',
      '/srv/repositories2',
      '/srv/repositories/../x',
      'file://host/srv/repositories/a',
      '/srv/repositories/-x',
      '//srv/repositories',
    ])
      expect(errorPathsOf({ repoUrl }, { local })).toEqual(['/repoUrl']);
  });
});

describe('ref and path', () => {
  test.each(['main', 'v1.2.0', 'feature/rack-2', 'a'.repeat(40), '0123456789abcdef'.repeat(4)])(
    'accepts the ref %s',
    (ref) => {
      expect(errorPathsOf({ ref })).toEqual([]);
    },
  );

  test.each([
    '',
    '-x',
    '--upload-pack=id',
    'a..b',
    'a@{1}',
    'a.lock',
    'a.lock/b',
    'a//b',
    'a/',
    'a.',
    '.a',
    'a/.b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    '@',
    '+a',
    'a\nb',
    'ä',
  ])('rejects the ref %j', (ref) => {
    expect(errorPathsOf({ ref })).toEqual(['/ref']);
  });

  test.each(['', 'rack', 'generators/rack', 'a b/c', '.hidden', '生成器/棚', 'Größe', 'प्रकार'])(
    'accepts the path %j',
    (path) => {
      expect(errorPathsOf({ path })).toEqual([]);
    },
  );

  test.each([
    '/abs',
    '../x',
    'a/../b',
    'a//b',
    './a',
    '-x',
    'a/-x',
    ':(exclude)x',
    'a\\b',
    'a\0b',
    'a\nb',
    'a:b',
    'a'.repeat(300),
    'a\u202eb',
    'a\u200bb',
    'a／b',
  ])('rejects the path %j', (path) => {
    expect(errorPathsOf({ path })).toEqual(['/path']);
  });

  test('accepts nothing that could be read as an option, leave the repository or end a line', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string({ unit: fc.constantFrom('a', '/', '.', '-', '@', '{', ':', '~', ' ', '\n', '\\', '$') }),
        (ref, url, path) => {
          const rejected = errorPathsOf({ ref, path, repoUrl: `https://${url}` });
          if (!rejected.includes('/ref')) expect(ref.trim()).toMatch(/^[A-Za-z0-9][\w./-]*$/);
          if (!rejected.includes('/path'))
            expect(path.trim().replace(/\/$/, '')).not.toMatch(/^[-/]|(^|\/)\.\.?(\/|$)|[:\n\\$~]/);
          if (!rejected.includes('/repoUrl')) {
            const normalized = normalizeRepoUrl(`https://${url}`.trim());
            expect([errorPathsOf({ repoUrl: normalized }), normalizeRepoUrl(normalized)]).toEqual([[], normalized]);
          }
          if (!rejected.includes('/repoUrl')) expect(url.trim()).not.toMatch(/[\s@?#\\]/);
        },
      ),
    );
  });

  test('reports all errors', () => {
    expect(errorPathsOf({ repoUrl: 'x', ref: '-', path: '..' })).toEqual(['/repoUrl', '/ref', '/path']);
  });
});
