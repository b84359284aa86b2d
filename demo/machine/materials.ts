import type { Color, Material } from './component.ts';

const STEEL: Color = [168, 172, 176];

/** The materials of the machine. */
export const MATERIALS = {
  structuralSteel: { name: 'S235JR', density: 7850, color: STEEL },
  heatTreatedSteel: { name: 'C45+QT', density: 7850, color: [150, 155, 161] },
  gearSteel: { name: '16MnCr5', density: 7850, color: [134, 139, 146] },
  zincPlatedSteel: { name: 'Steel 8.8, zinc plated', density: 7850, color: [201, 200, 188] },
  springSteel: { name: 'C75S', density: 7850, color: [92, 94, 97] },
  bearingSteel: { name: '100Cr6', density: 7810, color: [196, 199, 203] },
  stainlessSteel: { name: '1.4301', density: 7900, color: [191, 195, 199] },
  electricalSteel: { name: 'M400-50A', density: 7700, color: [112, 108, 104] },
  castIron: { name: 'EN-GJL-250', density: 7200, color: [118, 122, 126] },
  aluminum: { name: 'EN AC-47100', density: 2650, color: [206, 209, 212] },
  brass: { name: 'CuZn39Pb3', density: 8470, color: [203, 166, 82] },
  rubber: { name: 'NBR 70', density: 1200, color: [38, 39, 42] },
  polyurethane: { name: 'PU 92 Shore A', density: 1200, color: [196, 54, 48] },
  polyamide: { name: 'PA6', density: 1140, color: [52, 54, 58] },
  polycarbonate: { name: 'PC', density: 1200, color: [214, 216, 214] },
  belt: { name: 'PVC with polyester fabric', density: 1250, color: [47, 105, 84] },
} satisfies Record<string, Material>;

/** Paints of the machine. */
export const PAINTS = {
  blue: [38, 84, 140],
  anthracite: [70, 76, 84],
  lightGray: [214, 216, 217],
  yellow: [240, 190, 40],
  red: [196, 32, 38],
} satisfies Record<string, Color>;
