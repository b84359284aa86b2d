import { expect, test } from 'vitest';
import { pinnedAddress } from './pinned-address.ts';

const leadingTo = (...addresses: string[]) => pinnedAddress('example.com', ['10.1.0.0/16'], async () => addresses);

test('a name is bound to its first address, and refused when any of them is not public or allowed, or there is none', async () => {
  expect(await leadingTo('8.8.8.8', '2606:4700::1111')).toEqual({ address: '8.8.8.8' });
  expect(await leadingTo('10.1.2.3', '8.8.8.8')).toEqual({ address: '10.1.2.3' });
  expect(await leadingTo('8.8.8.8', '127.0.0.1')).toEqual({
    refused: expect.stringContaining('example.com leads to 127.0.0.1'),
  });
  expect(await leadingTo()).toEqual({ refused: 'the host example.com has no address' });
});

test('an address is looked up nowhere; a name nobody knows is refused', async () => {
  const unknown = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
  expect(await pinnedAddress('8.8.8.8', [], unknown)).toEqual({ address: '8.8.8.8' });
  expect(await pinnedAddress('example.com', [], unknown)).toEqual({
    refused: 'the host example.com is not known (ENOTFOUND)',
  });
});

test('the names of this machine are known', async () => {
  expect(await pinnedAddress('localhost', ['127.0.0.0/8', '::1'])).toEqual({
    address: expect.stringMatching(/^127\.|^::1$/),
  });
  expect(await pinnedAddress('localhost', [])).toEqual({ refused: expect.stringContaining('localhost leads to') });
});
