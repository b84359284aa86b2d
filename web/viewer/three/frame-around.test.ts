import fc from 'fast-check';
import { BoxGeometry, Group, Matrix4, Mesh, OrthographicCamera, PerspectiveCamera, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { frameAround, pointsOf } from './frame-around.ts';

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const vectors = fc.tuple(coordinate, coordinate, coordinate).map((each) => new Vector3(...each));
const TANGENT = Math.tan((15 * Math.PI) / 180);

test('fills the view with the points, which are in the middle', () => {
  fc.assert(
    fc.property(
      fc.array(vectors, { minLength: 4, maxLength: 20 }),
      vectors.filter((each) => each.length() > 0.1),
      fc.double({ min: 0.3, max: 3, noNaN: true }),
      fc.boolean(),
      (points, from, aspect, isParallel) => {
        const visit = (each: (point: Vector3) => void) => {
          for (const point of points) each(point);
        };
        const lens = { aspect, tangent: isParallel ? null : TANGENT };
        const { target, distance, halfHeight: half } = frameAround(visit, from, lens);
        const camera = isParallel
          ? new OrthographicCamera(-half * aspect, half * aspect, half, -half, 1e-4, 100)
          : new PerspectiveCamera(30, aspect, 1e-4, 100);
        camera.up.set(...(Math.abs(from.clone().normalize().y) > 0.999 ? ([0, 0, -1] as const) : ([0, 1, 0] as const)));
        camera.position.copy(target).addScaledVector(from.clone().normalize(), distance);
        camera.lookAt(target);
        camera.updateMatrixWorld();
        const local = points.map((point) => point.clone().applyMatrix4(camera.matrixWorldInverse));
        const range = (of: (point: Vector3) => number) => Math.max(...local.map(of)) - Math.min(...local.map(of));
        // unless the points are in a line with the camera, or so deep that it would be among them
        fc.pre(
          Math.max(
            range(({ x }) => x),
            range(({ y }) => y),
          ) > 0.05,
        );
        fc.pre(isParallel || distance > range(({ z }) => z) * 0.56);
        const seen = points.map((point) => point.clone().project(camera));
        const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
        const sides = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] as const;
        for (const side of sides) expect(Math.abs(side)).toBeLessThan(1);
        const [left, right, bottom, top] = sides;
        if (isParallel) for (const sum of [left + right, bottom + top]) expect(sum).toBeCloseTo(0, 6);
        expect(Math.max(right - left, top - bottom)).toBeGreaterThan(1.8);
      },
    ),
  );
});

test('visits the vertices of visible meshes where they are placed', () => {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  mesh.applyMatrix4(new Matrix4().makeTranslation(10, 0, 0));
  const root = new Group().add(mesh, new Mesh(new BoxGeometry(8, 8, 8)));
  root.children[1]!.visible = false;
  root.updateMatrixWorld(true);
  const xs = new Set<number>();
  pointsOf([root], true)?.(({ x }) => xs.add(x));
  expect(xs).toEqual(new Set([9, 11]));
  expect(pointsOf([new Group()])).toBeNull();
});
