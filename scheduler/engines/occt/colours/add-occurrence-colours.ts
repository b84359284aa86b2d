import { type Colour, opacityOf } from '../product/palette.ts';
import { type Definition, definitionsOf, type Part, type Use } from '../product/product.ts';
import type { AddStatement } from '../step/append-attributes.ts';
import { geometryItems } from '../step/layers.ts';
import type { StepFile } from '../step/parse-step.ts';
import type { StepProduct, StepUse } from '../step/product-structure.ts';
import { real, referenceIn } from '../step/values.ts';

/** The parts and uses of a product in the file that the kernel wrote. */
export type WrittenProduct = { parts: ReadonlyMap<StepProduct, Part>; uses: ReadonlyMap<Use, StepUse> };

/**
 * Adds the colours of single instances to a STEP file, in a form for two kinds of readers: the overriding style lists the
 * placements that lead to the instance, as CAx-IF recommends, and refers to a representation of the instance, in which
 * readers based on Open CASCADE look for it.
 */
export function addOccurrenceColours(file: StepFile, { parts, uses }: WrittenProduct, add: AddStatement): void {
  const productOf = new Map([...parts].map(([product, part]) => [part, product]));
  const coloured = [...uses].filter(([{ colours }]) => colours?.length);
  if (!coloured.length) return;
  const placements = readPlacements(file);
  const surfaceOf = createSurfaces(add);
  const baseOf = createBaseStyles(file, add);
  const instanceOf = createInstances(placements, add);
  const styled = coloured.flatMap(([use]) =>
    // The last one counts in readers that do not know which is more specific.
    [...use.colours!].reverse().flatMap(({ colour, path, part }) => {
      const steps = [use, ...path].map((each) => uses.get(each)!);
      const targets = part ? [part] : partsBelow([use, ...path].at(-1)!.definition);
      const relations = steps.map(({ id }) => `#${placements.get(id)!.relation}`).join();
      return targets.flatMap((each) => {
        const { geometry, representation } = productOf.get(each)!;
        const context = `#${contextOf(file, representation)}`;
        const style = add(`PRESENTATION_STYLE_BY_CONTEXT((${surfaceOf(colour)}),${instanceOf(steps, context)})`);
        const items = geometry.flatMap((id) => geometryItems(file, id));
        return items.map((item) => ({
          context,
          id: add(
            `CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('overriding color',(${style}),#${item},${baseOf(item)},(${relations}))`,
          ),
        }));
      });
    }),
  );
  for (const [context, group] of Map.groupBy(styled, (each) => each.context))
    add(`MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(${group.map(({ id }) => id).join()}),${context})`);
}

const partsBelow = (definition: Definition): Part[] =>
  [...definitionsOf(definition)].filter((each) => each.shape !== null);

const contextOf = (file: StepFile, representation: number | undefined) =>
  referenceIn(file.entities.get(representation ?? 0)?.values[2]);

/** The entities of a placed instance: its shape, the relation that places it, and its coordinate system. */
type WrittenPlacement = { shape: number; relation: number; axes: number; parent: number; child: number };

// Placements by the id of their use.
function readPlacements({ entities }: StepFile): Map<number, WrittenPlacement> {
  const found = new Map<number, WrittenPlacement>();
  for (const { type, values } of entities.values()) {
    if (type !== 'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION') continue;
    const [relation, shape] = values.map((value) => referenceIn(value) ?? 0) as [number, number];
    const use = entities.get(referenceIn(entities.get(shape)?.values[2]) ?? 0);
    const [transform] = entities.get(relation)?.parts.REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION ?? [];
    const axes = referenceIn(entities.get(referenceIn(transform) ?? 0)?.values[3]) ?? 0;
    const [parent, child] = [3, 4].map((index) => referenceIn(use?.values[index]) ?? 0) as [number, number];
    if (use) found.set(use.id, { shape, relation, axes, parent, child });
  }
  return found;
}

// Returns a function that adds a representation of an instance, once for each path and context.
function createInstances(placements: ReadonlyMap<number, WrittenPlacement>, add: AddStatement) {
  const known = new Map<string, string>();
  return (steps: readonly StepUse[], context: string): string => {
    const key = `${context} ${steps.map(({ id }) => id).join()}`;
    const found = known.get(key) ?? addInstance(steps, context);
    known.set(key, found);
    return found;
  };

  function addInstance(steps: readonly StepUse[], context: string): string {
    const [first, ...more] = steps.map(({ id }) => ({ id, ...placements.get(id)! }));
    let upper = `#${first!.id}`;
    for (const { id, child } of more)
      upper = add(`SPECIFIED_HIGHER_USAGE_OCCURRENCE('${id}','','',#${first!.parent},#${child},$,${upper},#${id})`);
    const shape = more.length ? add(`PRODUCT_DEFINITION_SHAPE('','',${upper})`) : `#${first!.shape}`;
    const representation = add(`SHAPE_REPRESENTATION('',(#${(more.at(-1) ?? first!).axes}),${context})`);
    add(`SHAPE_DEFINITION_REPRESENTATION(${shape},${representation})`);
    return representation;
  }
}

// Returns a function that finds the style of an item, which an overriding style has to name, or adds one without effect.
function createBaseStyles(file: StepFile, add: AddStatement): (item: number) => string {
  const styles = file.idsOf('STYLED_ITEM').map((id): [number, string] => {
    const item = referenceIn(file.lookUp(id)?.values[2]) ?? 0;
    return [item, `#${id}`];
  });
  const known = new Map(styles);
  let none: string | null = null;
  return (item) => {
    none ??= known.has(item) ? none : add('PRESENTATION_STYLE_ASSIGNMENT((NULL_STYLE(.NULL.)))');
    const base = known.get(item) ?? add(`STYLED_ITEM('',(${none}),#${item})`);
    known.set(item, base);
    return base;
  };
}

// Returns a function that adds the surface style of a colour once.
function createSurfaces(add: AddStatement): (colour: Colour) => string {
  const known = new Map<string, string>();
  return (colour) => {
    const key = colour.join();
    const found = known.get(key) ?? addSurface(colour, add);
    known.set(key, found);
    return found;
  };
}

function addSurface(colour: Colour, add: AddStatement): string {
  const [red, green, blue] = colour.slice(0, 3).map((value = 0) => real(value / 255));
  const rgb = add(`COLOUR_RGB('',${red},${green},${blue})`);
  const fill = add(`FILL_AREA_STYLE('',(${add(`FILL_AREA_STYLE_COLOUR('',${rgb})`)}))`);
  const styles = [add(`SURFACE_STYLE_FILL_AREA(${fill})`)];
  const opacity = opacityOf(colour);
  if (opacity < 1) {
    const transparency = add(`SURFACE_STYLE_TRANSPARENT(${real(Number((1 - opacity).toFixed(6)))})`);
    styles.push(add(`SURFACE_STYLE_RENDERING_WITH_PROPERTIES(.NORMAL_SHADING.,${rgb},(${transparency}))`));
  }
  return add(`SURFACE_STYLE_USAGE(.BOTH.,${add(`SURFACE_SIDE_STYLE('',(${styles.join()}))`)})`);
}
