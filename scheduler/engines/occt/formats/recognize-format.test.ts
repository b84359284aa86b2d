import { expect, test } from 'vitest';
import { convert } from '../convert.ts';
import { recognizeFormat } from './recognize-format.ts';

const startKernel = () => Promise.reject(new Error('the kernel is not needed'));
const report = { log: () => {}, progress: () => {} };

test.each([
  ['part.SLDPRT', 'SOLIDWORKS'],
  ['part.ipt', 'Autodesk Inventor'],
  ['Part.CATPart', 'CATIA V5'],
])('rejects %s and names the worker that could convert it', async (fileName, program) => {
  const bytes = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  await expect(convert(bytes, startKernel, 1e9, report, fileName)).rejects.toMatchObject({
    code: 'unsupported_format',
    message: expect.stringContaining(`a worker with ${program} can convert it`),
  });
});

test('trusts the content more than the extension', () => {
  expect(recognizeFormat(Buffer.from('ISO-10303-21;\nHEADER;'), 'part.sldprt')).toBe('step');
  expect(recognizeFormat(Buffer.from('v 0 0 0\n'), 'part.obj')).toBe('obj');
});
