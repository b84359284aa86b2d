import { parseXml, type XmlHandler } from '../formats/parse-xml.ts';
import { fail } from '../job-failure.ts';
import type { Matrix } from '../product/matrix.ts';
import { matrixOf } from './placement.ts';

/** An object of a FreeCAD document. Files are names in its archive; `null`: the object has no such property. */
export type FcstdObject = {
  name: string;
  label: string;
  type: string;
  visible: boolean;
  placement: Matrix | null;
  shape: string | null;
  isMesh: boolean;
  /** The objects in a group. */
  group: readonly string[] | null;
  link: FcstdLink | null;
  /** The packed colour of the object, and the file with those of its faces. */
  colour: number | null;
  faceColours: string | null;
  /** The file with the materials of its faces, since FreeCAD 1.0. */
  appearance: string | null;
};

/** A link to an object, in another file if `file` is not empty. An array has elements, each with a placement. */
export type FcstdLink = {
  file: string;
  object: string;
  placement: Matrix | null;
  /** Whether the placement of the linked object counts. */
  keepsPlacement: boolean;
  count: number;
  elements: readonly string[];
  placements: string | null;
};

export type FcstdProperties = { label: string; modified: string; program: string; objects: Map<string, FcstdObject> };

/** Reads the objects of a FreeCAD document from Document.xml and, for what the window shows, GuiDocument.xml. */
export function readObjects(documentXml: Uint8Array, guiXml: Uint8Array | undefined): FcstdProperties {
  const { types, data, own, program } = readProperties(documentXml, 'ObjectData');
  const views = guiXml ? readProperties(guiXml, 'ViewProviderData').data : new Map<string, Properties>();
  const objects = new Map(
    [...types].map(([name, type]) => [
      name,
      readObject(name, type, data.get(name) ?? new Map(), views.get(name) ?? new Map()),
    ]),
  );
  return {
    label: propertyValue(own, 'Label') ?? '',
    modified: propertyValue(own, 'LastModifiedDate') ?? '',
    program,
    objects,
  };
}

function readObject(name: string, type: string, data: Properties, view: Properties): FcstdObject {
  const linked = data.get('LinkedObject')?.find(({ tag }) => tag === 'XLink' || tag === 'Link')?.attributes;
  const object = linked?.name ?? linked?.value ?? '';
  return {
    name,
    label: propertyValue(data, 'Label') || name,
    type,
    visible: (propertyValue(view, 'Visibility') ?? propertyValue(data, 'Visibility')) !== 'false',
    placement: placementOf(data, 'Placement'),
    shape: fileOf(data, 'Shape', 'Part'),
    isMesh: data.has('Mesh'),
    group: data.has('Group') ? linksOf(data, 'Group') : null,
    link:
      type.startsWith('App::Link') && object
        ? {
            file: linked?.file ?? '',
            object,
            placement: placementOf(data, 'LinkPlacement') ?? placementOf(data, 'Placement'),
            keepsPlacement: propertyValue(data, 'LinkTransform') === 'true',
            count: Number(propertyValue(data, 'ElementCount') ?? 0),
            elements: linksOf(data, 'ElementList'),
            placements: fileOf(data, 'PlacementList', 'PlacementList'),
          }
        : null,
    colour: view.has('ShapeColor') ? Number(propertyValue(view, 'ShapeColor')) : null,
    faceColours: fileOf(view, 'DiffuseColor', 'ColorList'),
    appearance: fileOf(view, 'ShapeAppearance', 'MaterialList'),
  };
}

type Element = { tag: string; attributes: Readonly<Record<string, string>> };
/** The elements in each property. */
type Properties = Map<string, Element[]>;

const KEPT = new Set([
  ...['Label', 'LastModifiedDate', 'Visibility', 'Placement', 'Shape', 'Mesh', 'Group'],
  ...['LinkedObject', 'LinkPlacement', 'LinkTransform', 'ElementCount', 'ElementList', 'PlacementList'],
  ...['ShapeColor', 'DiffuseColor', 'ShapeAppearance'],
]);

// An object has the name of the element `Object` or `ViewProvider` that contains its properties.
function readProperties(xml: Uint8Array, section: 'ObjectData' | 'ViewProviderData') {
  const types = new Map<string, string>();
  const data = new Map<string, Properties>();
  const own: Properties = new Map();
  const path: string[] = [];
  let program = '';
  let properties = own;
  let property: Element[] | null = null;
  const handler: XmlHandler = {
    open(tag, attributes) {
      path.push(tag);
      const parent = path[1];
      if (path.length === 1) {
        if (tag !== 'Document') fail('syntax', 'the file is not a FreeCAD document');
        program = attributes.ProgramVersion ?? '';
      } else if (path.length === 3 && parent === 'Objects' && tag === 'Object')
        types.set(attributes.name ?? '', attributes.type ?? '');
      else if (path.length === 3 && parent === section) {
        properties = new Map();
        data.set(attributes.name ?? '', properties);
      } else if (tag === 'Property') {
        property = KEPT.has(attributes.name ?? '') ? [] : null;
        if (property) properties.set(attributes.name!, property);
      } else property?.push({ tag, attributes });
    },
    close(tag) {
      path.pop();
      if (tag === 'Property') property = null;
    },
  };
  parseXml(xml, handler);
  return { types, data, own, program };
}

const propertyValue = (properties: Properties, name: string): string | undefined =>
  properties.get(name)?.find(({ attributes }) => attributes.value !== undefined)?.attributes.value;

const fileOf = (properties: Properties, name: string, tag: string): string | null =>
  properties.get(name)?.find((element) => element.tag === tag)?.attributes.file || null;

const linksOf = (properties: Properties, name: string): string[] =>
  (properties.get(name) ?? []).flatMap(({ tag, attributes }) =>
    tag === 'Link' && attributes.value ? [attributes.value] : [],
  );

function placementOf(properties: Properties, name: string): Matrix | null {
  const found = properties.get(name)?.find(({ tag }) => tag === 'PropertyPlacement')?.attributes;
  if (!found) return null;
  return matrixOf(['Px', 'Py', 'Pz', 'Q0', 'Q1', 'Q2', 'Q3'].map((key) => Number(found[key])));
}
