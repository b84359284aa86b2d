import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { itemColours } from './item-colours.ts';
import type { StepFile } from './parse-step.ts';
import type { ProductStructure } from './product-structure.ts';

/** Describes the attributes of a STEP file that are not read, for a warning. Empty if all are read. */
export function unreadAttributes(file: StepFile, { unreadLayerItems }: ProductStructure): string[] {
  const valuesOf = (type: Parameters<StepFile['idsOf']>[0]) =>
    file.idsOf(type).map((id) => file.lookUp(id)?.values ?? []);
  const transparent = valuesOf('SURFACE_STYLE_TRANSPARENT').filter(([value]) => typeof value === 'number' && value > 0);
  const hidden = valuesOf('INVISIBILITY').reduce((sum, [items]) => sum + (Array.isArray(items) ? items.length : 0), 0);
  const occurrences =
    file.idsOf('CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM').length +
    [...itemColours(file).keys()].filter((id) => file.entities.get(id)?.type === 'PRODUCT_DEFINITION_SHAPE').length;
  return [
    unreadLayerItems
      ? `the layers of ${pluralize(unreadLayerItems, 'face, curve or other item', 'faces, curves and other items')}`
      : '',
    hidden ? `the visibility of ${pluralize(hidden, 'hidden item')}, which may be shown` : '',
    transparent.length ? `the transparency of ${pluralize(transparent.length, 'style')}` : '',
    occurrences ? `the colors of ${pluralize(occurrences, 'single occurrence')} of parts` : '',
  ].filter(Boolean);
}
