import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import { type Scene, VIEW_LIMITS, validateScene } from './named-view.ts';

const SCENE: Scene = {
  camera: { position: [100, -100, 50], target: [0, 0, 0], height: null },
  hidden: ['left/bolt', 'left/bolt'],
  transparent: [],
  sections: [{ axis: 'y', at: 12.5, flipped: true }],
  explode: 0.5,
};

function errorPaths(changes: Partial<Scene>): unknown {
  try {
    validateScene({ ...SCENE, ...changes });
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return (error.details.errors as { path: string }[]).map(({ path }) => path);
  }
}

describe('validateScene', () => {
  it('returns the scene with each path once', () => {
    expect(validateScene(SCENE)).toEqual({ ...SCENE, hidden: ['left/bolt'] });
  });

  it('rejects wrong and too many values, each at its path', () => {
    const camera = { position: [1, 2], target: [0, 0, Number.POSITIVE_INFINITY], height: 0 };
    expect(errorPaths({ camera })).toEqual(['/scene/camera/position', '/scene/camera/target', '/scene/camera/height']);
    expect(errorPaths({ explode: 1.5 })).toEqual(['/scene/explode']);
    const section = { axis: 'x', at: 0, flipped: false } as const;
    expect(errorPaths({ sections: Array.from({ length: 4 }, () => section) })).toEqual(['/scene/sections']);
    expect(errorPaths({ sections: [section, { ...section, at: Number.NaN }] })).toEqual(['/scene/sections/1/at']);
  });

  it('limits the hidden and transparent parts together', () => {
    const paths = (length: number) => Array.from({ length }, String);
    expect(errorPaths({ hidden: paths(VIEW_LIMITS.paths - 1), transparent: ['a'] })).toEqual([]);
    expect(errorPaths({ hidden: paths(VIEW_LIMITS.paths), transparent: ['a'] })).toEqual(['/scene']);
    const half = 'x'.repeat(VIEW_LIMITS.characters / 2);
    expect(errorPaths({ hidden: [half], transparent: [half] })).toEqual([]);
    expect(errorPaths({ hidden: [half], transparent: [`${half}x`] })).toEqual(['/scene']);
  });
});
