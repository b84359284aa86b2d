import { pluralize } from '../../../../subgraphs/core/domain/text/pluralize.ts';
import { fail } from '../job-failure.ts';
import type { Kernel } from '../kernel.ts';
import { LIMITS, sanitizeName } from '../limits.ts';
import { IDENTITY, invertRigid, type Matrix, multiply } from '../product/matrix.ts';
import type { Assembly, Definition, Use, Warning } from '../product/product.ts';
import { assertProductTree } from '../step/assert-product-tree.ts';
import { type FcstdDocument, type FcstdSource, linkedPath } from './open-fcstd.ts';
import { readPlacements } from './placement.ts';
import type { FcstdLink, FcstdObject } from './read-objects.ts';
import { createPartReader } from './read-part.ts';

/** Loads what a FreeCAD document shows, as a product. The shapes are disposed with `shapes`. */
export function loadFcstd(kernel: Kernel, { main, others }: FcstdSource, shapes: DisposableStack) {
  const missing = { files: new Set<string>(), meshes: 0, shapes: [] as string[] };
  const readPart = createPartReader(kernel, shapes, (name) => missing.shapes.push(name));
  const assemblies = new Map<FcstdObject, Assembly | 'loading'>();
  let placed = 0;

  function assemblyOf(document: FcstdDocument, object: FcstdObject, depth: number): Assembly {
    const known = assemblies.get(object);
    if (known === 'loading') fail('cycle', `assembly contains itself: ${sanitizeName(object.label)}`);
    if (known) return known;
    assemblies.set(object, 'loading');
    const assembly: Assembly = { name: object.label, shape: null, uses: [] };
    assembly.uses = (object.group ?? []).flatMap((name) => {
      const child = document.objects.get(name);
      return child?.visible ? usesOf(document, child, IDENTITY, depth + 1) : [];
    });
    assemblies.set(object, assembly);
    return assembly;
  }

  // The shape of an object contains its placement; that of a group is in the transform. A link may replace both.
  function usesOf(document: FcstdDocument, object: FcstdObject, at: Matrix, depth: number, linked?: LinkedBy): Use[] {
    if (++placed > LIMITS.occurrences)
      fail('too_many_occurrences', `the document places more than ${LIMITS.occurrences} parts`);
    if (depth > LIMITS.depth) fail('too_deep', `the document is nested more than ${LIMITS.depth} levels deep`);
    const name = linked?.name ?? object.label;
    const replaced = linked && !linked.keepsPlacement;
    const { link, placement } = object;
    if (link) {
      const inner = replaced ? at : multiply(at, link.placement ?? IDENTITY);
      return linkedUses(document, link, inner, depth + 1, { name, keepsPlacement: link.keepsPlacement });
    }
    if (isGroup(document, object)) {
      const definition = assemblyOf(document, object, depth);
      const transform = replaced ? at : multiply(at, placement ?? IDENTITY);
      return definition.uses.length ? [{ definition, name, transform }] : [];
    }
    if (object.isMesh) missing.meshes++;
    const definition = hasOwnShape(object) ? readPart(document, object) : null;
    if (!definition) return [];
    return [{ definition, name, transform: replaced && placement ? multiply(at, invertRigid(placement)) : at }];
  }

  function linkedUses(document: FcstdDocument, link: FcstdLink, at: Matrix, depth: number, by: LinkedBy): Use[] {
    const target = link.file ? others.get(linkedPath(document, link.file)) : document;
    const object = target?.objects.get(link.object);
    if (!target || !object) {
      missing.files.add(sanitizeName(link.file || link.object));
      return [];
    }
    return elementPlacements(document, link).flatMap((placement) =>
      usesOf(target, object, multiply(at, placement), depth, by),
    );
  }

  const uses = topObjects(main).flatMap((object) => usesOf(main, object, IDENTITY, 0));
  if (!uses.length) failEmpty(main, missing);
  const root = rootOf(main, uses);
  assertProductTree<Definition>([root], (definition) => (definition.uses ?? []).map((use) => use.definition));
  return { root, warnings: warningsOf(main, missing) };
}

type LinkedBy = { name: string; keepsPlacement: boolean };
type Missing = { files: ReadonlySet<string>; meshes: number; shapes: readonly string[] };

// A plain group only sorts the tree: its objects are in the coordinates of the document.
const isPlainGroup = ({ type }: FcstdObject) => type.startsWith('App::DocumentObjectGroup');
// A body shows the shape of its last feature.
const isGroup = ({ files }: FcstdDocument, { type, group, shape }: FcstdObject) =>
  group !== null && !type.startsWith('PartDesign::Body') && !(shape && files.has(shape));
const HELPERS = /^(PartDesign::(Plane|Line|Point|CoordinateSystem|ShapeBinder)|App::(Plane|Line|Origin)|Sketcher::)/;
const hasOwnShape = ({ type, shape }: FcstdObject) => shape !== null && !HELPERS.test(type);

function topObjects({ objects }: FcstdDocument): FcstdObject[] {
  const all = [...objects.values()];
  const inside = new Set(
    all.flatMap((object) => [...(isPlainGroup(object) ? [] : (object.group ?? [])), ...(object.link?.elements ?? [])]),
  );
  return all.filter((object) => object.visible && !isPlainGroup(object) && !inside.has(object.name));
}

function elementPlacements({ objects, files }: FcstdDocument, link: FcstdLink): Matrix[] {
  if (!(link.count > 0)) return [IDENTITY];
  if (link.elements.length) return link.elements.map((name) => objects.get(name)?.placement ?? IDENTITY);
  if (link.count > LIMITS.occurrences)
    fail('too_many_occurrences', `a link places more than ${LIMITS.occurrences} parts`);
  const placements = readPlacements(files.get(link.placements ?? ''));
  return Array.from({ length: link.count }, (_, i) => placements[i] ?? IDENTITY);
}

function rootOf({ label }: FcstdDocument, uses: Use[]): Definition {
  const [only] = uses;
  const isInPlace = only?.transform.every((value, i) => value === IDENTITY[i]);
  if (uses.length === 1 && only && isInPlace) return only.definition;
  return { name: label || 'FreeCAD document', shape: null, uses };
}

function failEmpty({ objects }: FcstdDocument, { files, shapes }: Missing): never {
  if (shapes.length) fail('no_geometry', unreadableMessage(shapes));
  if (files.size)
    fail('external_files', `the FreeCAD document only links to other files: ${listOf([...files])}; ${HOW_TO_LINK}`);
  const hidden = [...objects.values()].some(({ shape, visible }) => shape && !visible);
  fail('empty', `the FreeCAD document shows no shape${hidden ? '; show the objects in FreeCAD and save it' : ''}`);
}

const HOW_TO_LINK = 'upload a ZIP archive (.fcstd.zip) with all of them';
const unreadableMessage = (shapes: readonly string[]) =>
  `shapes in the FreeCAD document cannot be read: ${listOf(shapes.map(sanitizeName))}`;
const listOf = (names: readonly string[]) => `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;

function warningsOf({ objects }: FcstdDocument, { files, meshes, shapes }: Missing): Warning[] {
  const warnings: Warning[] = [];
  const add = (code: Warning['code'], message: string) => warnings.push({ code, message });
  if ([...objects.values()].some(({ type }) => /^(PartDesign|Part|Sketcher)::(?!Feature)/.test(type)))
    add('history_not_shown', 'the parametric history is kept in the source and not shown');
  if (files.size) add('missing_part', `linked objects are missing: ${listOf([...files])}; ${HOW_TO_LINK}`);
  if (meshes) add('missing_part', `${pluralize(meshes, 'mesh', 'meshes')} in the FreeCAD document cannot be read`);
  if (shapes.length) add('missing_part', unreadableMessage(shapes));
  return warnings;
}
