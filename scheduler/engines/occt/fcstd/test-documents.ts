// Generates FreeCAD documents for tests.
import { zipSync } from 'fflate';

type Content = Record<string, string | Uint8Array>;

/** An object with its properties, as the elements in them, and those of its view. */
export type TestObject = { name: string; type: string; properties?: Content; view?: Content };

/** Returns a FreeCAD document with the label "Test". */
export function fcstd(objects: readonly TestObject[], files: Content = {}): Buffer {
  const propertiesOf = (properties: Content = {}) =>
    `<Properties>${Object.entries(properties)
      .map(([name, value]) => `<Property name="${name}">${value}</Property>`)
      .join('')}</Properties>`;
  const document = `<Document SchemaVersion="4" ProgramVersion="0.20R1 (Git)">${propertiesOf({
    Label: '<String value="Test"/>',
    LastModifiedDate: '<String value="2026-01-02T03:04:05Z"/>',
  })}<Objects>${objects.map(({ name, type }) => `<Object type="${type}" name="${name}"/>`).join('')}</Objects><ObjectData>${objects
    .map(({ name, properties }) => `<Object name="${name}">${propertiesOf(properties)}</Object>`)
    .join('')}</ObjectData></Document>`;
  const views = objects
    .map(({ name, view }) => `<ViewProvider name="${name}">${propertiesOf(view)}</ViewProvider>`)
    .join('');
  const gui = `<Document><ViewProviderData>${views}</ViewProviderData></Document>`;
  return archive({ 'Document.xml': document, 'GuiDocument.xml': gui, ...files });
}

/** Returns a ZIP archive. */
export function archive(files: Content): Buffer {
  const encoded = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === 'string' ? new TextEncoder().encode(value) : value,
  ]);
  return Buffer.from(zipSync(Object.fromEntries(encoded)));
}

/** The property of a position without a rotation. */
export const placement = (x: number, y = 0, z = 0): string =>
  `<PropertyPlacement Px="${x}" Py="${y}" Pz="${z}" Q0="0" Q1="0" Q2="0" Q3="1"/>`;

/** The property of a list of objects. */
export const links = (...names: string[]): string =>
  `<LinkList count="${names.length}">${names.map((name) => `<Link value="${name}"/>`).join('')}</LinkList>`;

export const HIDDEN = { Visibility: '<Bool value="false"/>' };
