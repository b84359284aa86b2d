import type { STEPControl_Reader } from 'replicad-opencascadejs';
import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { colourOccurrences } from '../colours/colour-occurrences.ts';
import { colourParts, type ShapeOfItem } from '../colours/face-colours.ts';
import { type OccurrencePaths, occurrencePaths } from '../colours/occurrence-paths.ts';
import { readStyles, type Styles } from '../colours/read-styles.ts';
import type { Kernel, Shape } from '../kernel.ts';
import { sanitizeName } from '../limits.ts';
import { createShapeReader, type EntityPosition, type ReadShape, shapeOfItems } from '../read-shapes.ts';
import { type CheckedStep, HOW_TO_UPLOAD_SETS, listFiles, readStep } from '../read-step.ts';
import type { StepFile } from '../step/parse-step.ts';
import type { ProductStructure, StepProduct, StepUse } from '../step/product-structure.ts';
import { statedProperties } from '../step/stated-properties.ts';
import { unreadAttributes } from '../step/unread-attributes.ts';
import type { Stated } from './check-stated.ts';
import { countSubshapes } from './count-subshapes.ts';
import { IDENTITY } from './matrix.ts';
import { type Definition, definitionsOf, type Part, type Use, type Warning } from './product.ts';

/** A STEP file as a tree of shared definitions, and what the file states about them. */
export type LoadedProduct = { root: Definition; warnings: Warning[]; stated: Stated[] };

type Loaded = Pick<Tree, 'definitions' | 'useOf' | 'warnings'> & { root: Definition };

/** Returns the content of the file that has the shape of a product; null if it is missing. */
export type LoadExternal = (product: StepProduct) => Definition | null;

/** Reads a checked STEP file through the kernel. The shapes are disposed with `shapes`. */
export function loadProduct(
  kernel: Kernel,
  step: CheckedStep,
  shapes: DisposableStack,
  loadExternal: LoadExternal = () => null,
): LoadedProduct {
  const paths = occurrencePaths(step.file, step.structure);
  const styles = readStyles(step.file, paths.isOccurrence);
  const onlyExternal = externalAssembly(step, loadExternal);
  let unreadStyles = onlyExternal ? applyStyles(kernel, step, onlyExternal, { styles, paths }, () => null) : 0;
  const product =
    onlyExternal ??
    readStep(kernel, step, (whole, reader) => {
      shapes.use(whole);
      const loaded = singlePart(step, whole) ?? assembly(kernel, step, whole, reader, shapes, loadExternal);
      unreadStyles = applyStyles(kernel, step, loaded, { styles, paths }, shapeOfItems(kernel, step, styles, reader));
      return loaded;
    });
  if (!step.structure.unit.name)
    product.warnings.unshift({
      code: 'no_unit',
      message: 'the file specifies no length unit; millimeters are assumed',
    });
  if (step.file.trailingBytes)
    product.warnings.unshift({
      code: 'trailing_bytes',
      message: `the file has ${pluralize(step.file.trailingBytes, 'byte')} after its end, which are ignored`,
    });
  if (step.file.smallExponents)
    product.warnings.unshift({
      code: 'not_standard',
      message: `${pluralize(step.file.smallExponents, 'number')} in the file ${step.file.smallExponents === 1 ? 'has' : 'have'} an exponent with a small e, which the standard does not allow; other programs may reject the file`,
    });
  const unread = unreadAttributes(step.file, step.structure, unreadStyles);
  if (unread.length) product.warnings.push({ code: 'not_read', message: `not read: ${unread.join('; ')}` });
  if (step.file.unreadableNames)
    product.warnings.unshift({
      code: 'unreadable_names',
      message: 'the names in the file are in an unknown encoding; they may be unreadable',
    });
  const { root, warnings, definitions } = product;
  const stated = statedProperties(step.file, step.structure.products).flatMap((property) => {
    const definition = definitions.get(property.product);
    return definition ? [{ ...property, definition }] : [];
  });
  return { root, warnings, stated };
}

// For a single part, the shape of the whole file is the part: no second transfer is needed.
function singlePart({ structure }: CheckedStep, whole: Shape): Loaded | null {
  const products = [...structure.products.values()].filter(
    (product) => product.uses.length || product.representation !== undefined,
  );
  const [only] = products;
  if (products.length !== 1 || !only || only.uses.length) return null;
  const root = part(only, whole);
  return { root, warnings: [], definitions: new Map([[only.id, root]]), useOf: new Map() };
}

// An assembly without geometry of its own, which the kernel would reject. Null if it is another file, or all are missing.
function externalAssembly({ file, structure }: CheckedStep, loadExternal: LoadExternal): Loaded | null {
  const products = [...structure.products.values()];
  if (!structure.externalFiles.length || products.some(({ geometry }) => geometry.length)) return null;
  const tree = buildTree(structure, file, () => null, false, loadExternal);
  return tree.roots.length ? loadedTree(tree, tree.roots, file.name) : null;
}

// The product tree with the shapes of its parts. If it does not have all faces of the whole shape, assemblies may have
// geometry of their own, which becomes a part beside their children; otherwise the file is loaded as one part.
function assembly(
  kernel: Kernel,
  { file, structure }: CheckedStep,
  whole: Shape,
  reader: STEPControl_Reader,
  shapes: DisposableStack,
  loadExternal: LoadExternal,
): Loaded {
  const faces = countSubshapes(kernel, whole, 'face');
  const readShape = createShapeReader(kernel, reader, shapes);
  for (const ownGeometry of [false, true]) {
    const tree = buildTree(structure, file, readShape, ownGeometry, loadExternal);
    if (tree.faces + tree.repeated === faces) return loadedTree(tree, tree.roots, file.name);
  }
  const warnings: Warning[] = [];
  if (structure.products.size > 1) {
    warnings.push({
      code: 'flattened',
      message: 'the product structure does not contain every face; the file is converted as one part',
    });
  }
  const root: Part = { name: structure.roots[0]?.name || file.name || 'file', shape: whole, uses: null };
  const external = buildTree(structure, file, () => null, false, loadExternal);
  // Without shapes, the tree misses every part of the file, but only files that are missing are reported.
  warnings.push(...missingFiles(external.missing));
  const roots = [root, ...external.roots];
  return { root: joinRoots(roots, file.name), warnings, definitions: new Map(), useOf: external.useOf };
}

function loadedTree({ warnings, missing, definitions, useOf }: Tree, roots: Definition[], fileName: string): Loaded {
  return { root: joinRoots(roots, fileName), warnings: [...warnings, ...missingFiles(missing)], definitions, useOf };
}

function missingFiles(names: ReadonlySet<string>): Warning[] {
  if (!names.size) return [];
  const message = `files with parts are missing: ${listFiles([...names])}; ${HOW_TO_UPLOAD_SETS}`;
  return [{ code: 'missing_part', message }];
}

/**
 * `missing` are the names of files; `faces` counts those of this file, `repeated` those that the kernel builds a second
 * time.
 */
type Tree = {
  roots: Definition[];
  warnings: Warning[];
  missing: ReadonlySet<string>;
  definitions: Map<number, Definition>;
  useOf: ReadonlyMap<StepUse, Use>;
  faces: number;
  repeated: number;
};

function buildTree(
  structure: ProductStructure,
  file: StepFile,
  readShape: ReadShape,
  ownGeometry: boolean,
  loadExternal: LoadExternal,
): Tree {
  const warnings: Warning[] = [];
  const useOf = new Map<StepUse, Use>();
  const external = new Set<Definition>();
  const missing = new Set<string>();
  const faces = new Map<Definition, number>();
  const definitions = new Map<number, Definition | null>();
  const define = (product: StepProduct): Definition | null => {
    const known = definitions.get(product.id);
    if (known !== undefined) return known;
    const definition = product.uses.length ? loadGroup(product) : loadLeaf(product);
    definitions.set(product.id, definition);
    return definition;
  };
  const loadPart = (product: StepProduct, entity: EntityPosition | undefined): Definition | null => {
    const read = entity && readShape(entity);
    if (!read) return null;
    const definition = part(product, read.shape);
    faces.set(definition, read.faces);
    return definition;
  };
  const loadLeaf = (product: StepProduct): Definition | null => {
    const definition =
      loadPart(product, product.representation === undefined ? undefined : product) ?? loadLinked(product);
    if (!definition && product.used && !product.externalFile.length)
      warnings.push({
        code: 'missing_part',
        message: `product ${sanitizeName(product.name)} has no geometry in this file`,
      });
    return definition;
  };
  const loadLinked = (product: StepProduct): Definition | null => {
    const [name] = product.externalFile;
    if (name === undefined || !product.used) return null;
    const definition = loadExternal(product);
    if (!definition) missing.add(name);
    else if (!external.has(definition)) {
      external.add(definition);
      faces.set(definition, 0);
    }
    return definition;
  };
  const loadGroup = (product: StepProduct): Definition => {
    const uses = product.uses.flatMap((step): Use[] => {
      const definition = define(structure.products.get(step.product)!);
      if (!definition) return [];
      const use = { definition, name: step.name, transform: step.transform };
      useOf.set(step, use);
      return [use];
    });
    for (const id of ownGeometry ? product.geometry : []) {
      const own = loadPart(product, file.entities.get(id));
      if (own) uses.push({ definition: own, name: own.name, transform: IDENTITY });
    }
    const group: Definition = { name: product.name, shape: null, uses };
    faces.set(
      group,
      uses.reduce((sum, use) => sum + faces.get(use.definition)!, 0),
    );
    if (uses.some((use) => external.has(use.definition))) external.add(group);
    return group;
  };
  const roots = structure.roots
    .map(define)
    .filter((root): root is Definition => root !== null && (faces.get(root)! > 0 || external.has(root)));
  const facesOfAll = (of: readonly Definition[]) => of.reduce((sum, each) => sum + faces.get(each)!, 0);
  const builtTwice = [...structure.products.values()].filter(({ isBuiltTwice }) => isBuiltTwice);
  const repeated = facesOfAll(builtTwice.flatMap((product) => define(product) ?? []));
  const found = [...definitions].flatMap(([id, definition]): [number, Definition][] =>
    definition ? [[id, definition]] : [],
  );
  return { roots, warnings, missing, definitions: new Map(found), useOf, faces: facesOfAll(roots), repeated };
}

const part = ({ name, material, layers }: StepProduct, shape: Shape): Part => ({
  name,
  shape,
  uses: null,
  material,
  layers,
});

type StepStyles = { styles: Styles; paths: OccurrencePaths };

// Returns the number of styles that are not applied.
function applyStyles(
  kernel: Kernel,
  { file, structure }: CheckedStep,
  { root, useOf }: Loaded,
  { styles, paths }: StepStyles,
  shapeOfItem: ShapeOfItem,
): number {
  const parts = [...definitionsOf(root)].filter((definition) => definition.shape !== null);
  const isMappedItem = (id: number) => file.lookUp(id)?.type === 'MAPPED_ITEM';
  if (styles.items.size) colourParts(kernel, parts, styles.items, shapeOfItem, isMappedItem);
  return colourOccurrences(kernel, styles.occurrences, { structure, paths, useOf, parts, shapeOfItem });
}

function joinRoots(roots: Definition[], fileName: string): Definition {
  const [only, ...more] = roots;
  if (only && !more.length) return only;
  return {
    name: fileName || 'file',
    shape: null,
    uses: roots.map((definition) => ({ definition, name: definition.name, transform: IDENTITY })),
  };
}
