// The geometry of an involute spur gear: symbols of ISO 21771:2007, basic rack of ISO 53:1998. The equations are
// derived in J. R. Colbourne, The Geometry of Involute Gears, Springer 1987, chapters 2 and 3.

export type GearParams = { module: number; teeth: number; pressureAngle: number };

export type Radii = { pitch: number; base: number; tip: number; root: number };

const ADDENDUM = 1;
const DEDENDUM = 1.25;

/** r = m z / 2, r_b = r cos α, r_a = r + m, r_f = r − 1.25 m. */
export function radiiOf({ module, teeth, pressureAngle }: GearParams): Radii {
  const pitch = (module * teeth) / 2;
  return {
    pitch,
    base: pitch * Math.cos(radians(pressureAngle)),
    tip: pitch + ADDENDUM * module,
    root: pitch - DEDENDUM * module,
  };
}

/** The minimum number of teeth without undercut by a rack cutter: z_min = 2 / sin² α (17.1 for 20°). */
export function minTeeth(pressureAngle: number): number {
  return 2 / Math.sin(radians(pressureAngle)) ** 2;
}

/** inv α = tan α − α. */
export function involute(angle: number): number {
  return Math.tan(angle) - angle;
}

/**
 * Half the angular thickness of a tooth at a radius: ψ(ρ) = π / (2 z) + inv α − inv(acos(r_b / ρ)); below the base
 * circle the flank is radial.
 */
export function halfAngle(gear: GearParams, radius: number): number {
  const { base } = radiiOf(gear);
  const pressureAngle = Math.acos(Math.min(1, base / radius));
  return Math.PI / (2 * gear.teeth) + involute(radians(gear.pressureAngle)) - involute(pressureAngle);
}

/**
 * Points of the involute part of a flank from its start to the tip, evenly spaced by roll angle, as [radius, half
 * angle].
 */
export function flankPoints(gear: GearParams, points: number): [number, number][] {
  const { base, root, tip } = radiiOf(gear);
  const rollAt = (radius: number) => Math.sqrt(Math.max(0, (radius / base) ** 2 - 1));
  const [from, to] = [rollAt(Math.max(base, root)), rollAt(tip)];
  return Array.from({ length: points }, (_, i) => {
    const roll = from + ((to - from) * i) / (points - 1);
    const radius = base * Math.sqrt(1 + roll * roll);
    return [radius, halfAngle(gear, radius)];
  });
}

/**
 * The cross-sectional area of the gear without its bore: π r_f² + ∫ 2 z ψ(ρ) ρ dρ from r_f to r_a. With ρ = r_b √(1 +
 * t²) the involute part is ∫ (t − atan t) t dt = t³/3 − (t² + 1)/2 · atan t + t/2, times r_b².
 */
export function sectionArea(gear: GearParams): number {
  const { base, root, tip } = radiiOf(gear);
  const start = Math.max(base, root);
  const rollAt = (radius: number) => Math.sqrt(Math.max(0, (radius / base) ** 2 - 1));
  const primitive = (t: number) => t ** 3 / 3 - ((t * t + 1) / 2) * Math.atan(t) + t / 2;
  const atBase = Math.PI / (2 * gear.teeth) + involute(radians(gear.pressureAngle));
  const radial = root < base ? atBase * (base ** 2 - root ** 2) : 0;
  const involutes =
    atBase * (tip ** 2 - start ** 2) - 2 * base ** 2 * (primitive(rollAt(tip)) - primitive(rollAt(start)));
  return Math.PI * root ** 2 + gear.teeth * (radial + involutes);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
