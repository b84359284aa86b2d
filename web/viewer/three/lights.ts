// Lights, materials and colors of the stage.
import { Color, DirectionalLight, DoubleSide, Group, HemisphereLight, MeshStandardMaterial } from 'three';

/** Creates a sky light and two lamps that follow the camera, so no side is ever black. */
export function createLights(): { sky: HemisphereLight; lamps: Group } {
  const lamps = new Group();
  const key = new DirectionalLight(0xffffff, 1.9);
  key.position.set(-0.35, 0.6, 1);
  const fill = new DirectionalLight(0xffffff, 0.7);
  fill.position.set(1, -0.3, 0.6);
  for (const lamp of [key, fill]) lamps.add(lamp, lamp.target);
  return { sky: new HemisphereLight(0xffffff, 0xb4bac2, 1.35), lamps };
}

/** Creates the material of selected bodies. */
export const createSelectionMaterial = (color: Color): MeshStandardMaterial =>
  new MeshStandardMaterial({
    color: color,
    emissive: color,
    emissiveIntensity: 0.25,
    roughness: 0.6,
    metalness: 0,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });

export type Colors = { edge: Color; accent: Color };

/** Reads the colors of the current light or dark theme from the element's border colors. */
export function readColors(host: Element): Colors {
  const { borderTopColor, borderRightColor } = getComputedStyle(host);
  return { edge: parseColor(borderTopColor), accent: parseColor(borderRightColor) };
}

// parses "rgb(1, 2, 3)" or "color(srgb 0.1 0.2 0.3)"; the library supports only the former
function parseColor(text: string): Color {
  const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(text);
  if (srgb) return new Color().setRGB(Number(srgb[1]), Number(srgb[2]), Number(srgb[3]), 'srgb');
  return new Color(text);
}
