import { describe, expect, test } from 'vitest';
import { convert } from '../convert.ts';
import type { Kernel } from '../kernel.ts';
import { checkStep } from '../read-step.ts';
import { box, kernel } from '../test-models.ts';

const brep = () =>
  kernel.BRepToolsWrapper.Write((box() as unknown as { wrapped: InstanceType<Kernel['TopoDS_Shape']> }).wrapped);
const converted = (text: string, maxBytes = 1e6) =>
  convert(
    Buffer.from(text, 'latin1'),
    async () => kernel,
    maxBytes,
    { log: () => {}, progress: () => {} },
    'Block.brep',
  );

describe('a BREP file', { timeout: 120_000 }, () => {
  test('is measured exactly and written as STEP', async () => {
    const { properties, stp, isStep } = await converted(brep());
    expect(isStep).toBeUndefined();
    expect(JSON.parse(properties.toString())).toMatchObject({
      volume: 6000,
      solids: 1,
      faces: 6,
      source: { format: 'BREP', name: 'Block' },
      warnings: [{ code: 'no_unit' }],
    });
    const { structure } = checkStep(stp!, 1e6);
    expect([...structure.products.values()].map(({ name }) => name)).toEqual(['Block']);
  });

  test.each([
    ['above the limit', () => brep(), 100, 'too_large'],
    ['without shapes', () => brep().replace(/TShapes[\s\S]*/, 'TShapes 0\n'), 1e6, /^(unreadable|no_geometry|kernel)$/],
    ['that ends early', () => brep().slice(0, 600), 1e6, /^(unreadable|no_geometry|kernel|kernel_crash)$/],
  ])('%s is rejected', async (_, text, maxBytes, code) => {
    await expect(converted(text(), maxBytes)).rejects.toMatchObject({ code: expect.stringMatching(code) });
  });
});
