import { Color, DirectionalLight, DoubleSide, Group, HemisphereLight, MeshStandardMaterial } from 'three';

/** Light from the sky, and two lamps that go along with the eye, so that no side is ever black. */
export function lights(): { sky: HemisphereLight; lamps: Group } {
  const lamps = new Group();
  const key = new DirectionalLight(0xffffff, 1.9);
  key.position.set(-0.35, 0.6, 1);
  const fill = new DirectionalLight(0xffffff, 0.7);
  fill.position.set(1, -0.3, 0.6);
  for (const lamp of [key, fill]) lamps.add(lamp, lamp.target);
  return { sky: new HemisphereLight(0xffffff, 0xb4bac2, 1.35), lamps };
}

/** How what is selected looks. */
export const selectedMaterial = (colour: Color): MeshStandardMaterial =>
  new MeshStandardMaterial({
    color: colour,
    emissive: colour,
    emissiveIntensity: 0.25,
    roughness: 0.6,
    metalness: 0,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });

export type Colours = { edge: Color; accent: Color; cut: Color };

/** The colours of the page as they are now, light or dark: read from the element that holds the picture. */
export function coloursOf(host: Element): Colours {
  const { borderTopColor, borderRightColor, borderBottomColor } = getComputedStyle(host);
  return { edge: plain(borderTopColor), accent: plain(borderRightColor), cut: plain(borderBottomColor) };
}

// "rgb(1, 2, 3)" or "color(srgb 0.1 0.2 0.3)", of which the library reads the first alone
function plain(text: string): Color {
  const srgb = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(text);
  if (srgb) return new Color().setRGB(Number(srgb[1]), Number(srgb[2]), Number(srgb[3]), 'srgb');
  return new Color(text);
}
