import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import type { StepFile } from './parse-step.ts';
import type { ProductStructure } from './product-structure.ts';

/**
 * Describes the attributes of a STEP file that are not read, for a warning. Empty if all are read. `unreadStyles` is the
 * number of styles in single occurrences that are not applied.
 */
export function unreadAttributes(
  file: StepFile,
  { unreadLayerItems }: ProductStructure,
  unreadStyles: number,
): string[] {
  const invisible = file.idsOf('INVISIBILITY').map((id) => file.lookUp(id)?.values[0]);
  const hidden = invisible.reduce<number>((sum, items) => sum + (Array.isArray(items) ? items.length : 0), 0);
  return [
    unreadLayerItems
      ? `the layers of ${pluralize(unreadLayerItems, 'face, curve or other item', 'faces, curves and other items')}`
      : '',
    hidden ? `the visibility of ${pluralize(hidden, 'hidden item')}, which may be shown` : '',
    unreadStyles
      ? `${pluralize(unreadStyles, 'color')} of faces and solids in single occurrences of parts, or of unknown occurrences`
      : '',
  ].filter(Boolean);
}
