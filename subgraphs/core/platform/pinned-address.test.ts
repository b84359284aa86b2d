import { expect, test } from 'vitest';
import { pinnedAddress } from './pinned-address.ts';

const resolvingTo = (...addresses: string[]) => pinnedAddress('example.com', ['10.1.0.0/16'], async () => addresses);

test('uses the first address of a name, and refuses names with an internal address or with none', async () => {
  expect(await resolvingTo('8.8.8.8', '2606:4700::1111')).toEqual({ address: '8.8.8.8' });
  expect(await resolvingTo('10.1.2.3', '8.8.8.8')).toEqual({ address: '10.1.2.3' });
  expect(await resolvingTo('8.8.8.8', '127.0.0.1')).toEqual({
    reason: expect.stringContaining('example.com resolves to 127.0.0.1'),
    isInternal: true,
  });
  expect(await resolvingTo()).toEqual({ reason: 'the host example.com has no address', isInternal: false });
});

test('does not look up IP addresses, and refuses names that cannot be resolved', async () => {
  const unknown = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  expect(await pinnedAddress('8.8.8.8', [], unknown)).toEqual({ address: '8.8.8.8' });
  expect(await pinnedAddress('example.com', [], unknown)).toEqual({
    reason: 'the host example.com cannot be resolved (ENOTFOUND)',
    isInternal: false,
  });
});

test('resolves the names of this machine', async () => {
  expect(await pinnedAddress('localhost', ['127.0.0.0/8', '::1'])).toEqual({
    address: expect.stringMatching(/^127\.|^::1$/),
  });
  expect(await pinnedAddress('localhost', [])).toMatchObject({ isInternal: true });
});
