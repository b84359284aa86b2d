import type { Kernel, Shape } from '../kernel.ts';

/** Yields the faces of a shape in the kernel's order, including repeated placements. The caller frees each face. */
export function* facesOf(kernel: Kernel, shape: Shape): Generator<Shape> {
  using explorer = new kernel.TopExp_Explorer(shape, 'TopAbs_FACE', 'TopAbs_SHAPE');
  for (; explorer.More(); explorer.Next()) yield explorer.Current();
}

/** Returns the hash of a shape with its location, which is valid as long as the kernel. */
export function hashOf(kernel: Kernel, shape: Shape): number {
  return kernel.ReplicadShapeHasher.HashCode(shape, MAX_HASH);
}

const MAX_HASH = 2 ** 31 - 1;

/**
 * Values by shape, whatever the orientation of the shape, and its location unless `isLocated`. Shapes are freed with the
 * map.
 */
export class ShapeMap<T> implements Disposable {
  readonly #kernel: Kernel;
  readonly #origin;
  readonly #isLocated: boolean;
  readonly #entries = new Map<number, { shape: Shape; value: T }[]>();

  constructor(kernel: Kernel, isLocated = false) {
    this.#kernel = kernel;
    this.#isLocated = isLocated;
    this.#origin = new kernel.TopLoc_Location();
  }

  get(shape: Shape): T | undefined {
    using key = this.#keyOf(shape);
    return this.#find(hashOf(this.#kernel, key), key)?.value;
  }

  set(shape: Shape, value: T): void {
    const key = this.#keyOf(shape);
    const hash = hashOf(this.#kernel, key);
    const known = this.#find(hash, key);
    if (known) {
      known.value = value;
      key.delete();
    } else this.#entries.set(hash, [...(this.#entries.get(hash) ?? []), { shape: key, value }]);
  }

  #find(hash: number, key: Shape) {
    return this.#entries.get(hash)?.find(({ shape }) => shape.IsSame(key));
  }

  #keyOf(shape: Shape): Shape {
    return this.#isLocated ? shape.Moved(this.#origin, false) : shape.Located(this.#origin, false);
  }

  [Symbol.dispose](): void {
    for (const entries of this.#entries.values()) for (const { shape } of entries) shape.delete();
    this.#origin.delete();
  }
}
