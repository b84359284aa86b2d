import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { checkedLocation, type GitPolicy, spelledOnce } from './code-location.ts';

const POLICY: GitPolicy = { hosts: null, local: [], networks: [], caFile: null };
const good = { repoUrl: 'https://example.com/team/parts.git', ref: 'main', path: 'generators/rack' };

const faultsOf = (given: Partial<typeof good>, policy: Partial<GitPolicy> = {}): string[] => {
  try {
    checkedLocation({ ...good, ...given }, { ...POLICY, ...policy });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details.errors as { path: string }[]).map(({ path }) => path);
  }
};

describe('the address of a repository', () => {
  test.each([
    'https://example.com/team/parts.git',
    'https://git.example.com',
    'https://example.com/a/b%20c',
    'https://example.com/%E9%83%A8%E5%93%81.git',
    'https://8.8.8.8/x',
  ])('%s passes', (repoUrl) => {
    expect(checkedLocation({ ...good, repoUrl }, POLICY).repoUrl).toBe(repoUrl);
  });

  test.each([
    ['https://example.com/team/parts.git', 'a host in capitals', 'https://Example.COM/team/parts.git'],
    ['https://example.com/team/parts.git', 'the usual port', 'https://example.com:443/team/parts.git'],
    ['https://example.com/team/parts.git', 'a slash at the end', ' https://example.com/team/parts.git/ '],
    ['https://example.com/team/parts.git', 'letters escaped', 'https://example.com/t%65am/p%61rts.git'],
    ['https://example.com', 'the slash of the root', 'https://example.com/'],
    ['https://example.com/%E9%83%A8', 'small digits of bytes', 'https://example.com/%e9%83%a8'],
    ['https://8.8.8.8/x', 'one number', 'https://134744072/x'],
    ['https://[2606:4700::1111]/x', 'zeros', 'https://[2606:4700:0:0::1111]/x'],
    ['/srv/r/rack', 'a file address', 'file:///srv/r/rack'],
  ])('%s has one spelling, whatever was given: %s', (once, _what, repoUrl) => {
    expect(checkedLocation({ ...good, repoUrl }, { ...POLICY, local: ['/srv/r'] }).repoUrl).toBe(once);
  });

  test('what differs in more than its spelling stays another address: .git, the case of the path, another port', () => {
    const hosts = ['example.com', 'example.com:8443'];
    const addresses = [
      'https://example.com/a',
      'https://example.com/a.git',
      'https://example.com/A',
      'https://example.com:8443/a',
      'https://example.com/a%20',
    ];
    for (const repoUrl of addresses)
      expect(checkedLocation({ ...good, repoUrl }, { ...POLICY, hosts }).repoUrl).toBe(repoUrl);
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
  ])('%j is refused', (repoUrl) => {
    expect(faultsOf({ repoUrl })).toEqual(['/repoUrl']);
  });

  test('an address of more than 2,048 characters is refused', () => {
    expect(faultsOf({ repoUrl: `https://example.com/${'a'.repeat(2048)}` })).toEqual(['/repoUrl']);
  });

  test('a list of hosts lets in those with their ports, and no other', () => {
    const hosts = ['git.example.com:8443', 'example.org'];
    expect(faultsOf({ repoUrl: 'https://git.example.com:8443/a' }, { hosts })).toEqual([]);
    expect(faultsOf({ repoUrl: 'https://example.org/a' }, { hosts })).toEqual([]);
    for (const repoUrl of [
      'https://git.example.com/a',
      'https://example.org:8443/a',
      'https://example.com/a',
      'https://a.example.org/a',
    ])
      expect(faultsOf({ repoUrl }, { hosts })).toEqual(['/repoUrl']);
  });

  test('a local folder passes only below an allowed one', () => {
    const local = ['/srv/repositories'];
    for (const repoUrl of ['/srv/repositories/rack', 'file:///srv/repositories/rack'])
      expect(faultsOf({ repoUrl }, { local })).toEqual([]);
    for (const repoUrl of [
      '/srv',
      '/srv/repositories2',
      '/srv/repositories/../x',
      'file://host/srv/repositories/a',
      '/srv/repositories/-x',
      '//srv/repositories',
    ])
      expect(faultsOf({ repoUrl }, { local })).toEqual(['/repoUrl']);
  });
});

describe('ref and path', () => {
  test.each(['main', 'v1.2.0', 'feature/rack-2', 'a'.repeat(40), '0123456789abcdef'.repeat(4)])(
    'the ref %s passes',
    (ref) => {
      expect(faultsOf({ ref })).toEqual([]);
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
  ])('the ref %j is refused', (ref) => {
    expect(faultsOf({ ref })).toEqual(['/ref']);
  });

  test.each(['', 'rack', 'generators/rack', 'a b/c', '.hidden', '生成器/棚', 'Größe', 'प्रकार'])(
    'the path %j passes',
    (path) => {
      expect(faultsOf({ path })).toEqual([]);
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
  ])('the path %j is refused', (path) => {
    expect(faultsOf({ path })).toEqual(['/path']);
  });

  test('whatever passes cannot be read as an option, leave the repository, or end a line', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.string({ unit: fc.constantFrom('a', '/', '.', '-', '@', '{', ':', '~', ' ', '\n', '\\', '$') }),
        (ref, url, path) => {
          const refused = faultsOf({ ref, path, repoUrl: `https://${url}` });
          if (!refused.includes('/ref')) expect(ref.trim()).toMatch(/^[A-Za-z0-9][\w./-]*$/);
          if (!refused.includes('/path'))
            expect(path.trim().replace(/\/$/, '')).not.toMatch(/^[-/]|(^|\/)\.\.?(\/|$)|[:\n\\$~]/);
          if (!refused.includes('/repoUrl')) {
            const once = spelledOnce(`https://${url}`.trim());
            expect([faultsOf({ repoUrl: once }), spelledOnce(once)]).toEqual([[], once]);
          }
          if (!refused.includes('/repoUrl')) expect(url.trim()).not.toMatch(/[\s@?#\\]/);
        },
      ),
    );
  });

  test('all faults are told at once', () => {
    expect(faultsOf({ repoUrl: 'x', ref: '-', path: '..' })).toEqual(['/repoUrl', '/ref', '/path']);
  });
});
