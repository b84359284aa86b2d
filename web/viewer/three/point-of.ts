// Converts vectors of the 3D library.
import type { Vector3 } from 'three';
import type { Point } from '../space.ts';

export const pointOf = ({ x, y, z }: Vector3): Point => [x, y, z];
