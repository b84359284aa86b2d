// The table of file formats. It drives uploads, the page, the built-in engine, exports and docs/formats.md.

/** What a format describes. A native format belongs to one CAD system; drawings are stored as attachments. */
export type FormatContent = 'exact' | 'mesh' | 'native' | 'drawing';

/** A file format that the service recognizes by the extension of a file name. */
export type FileFormat = {
  name: string;
  /** In lower case, without the dot; the first is the preferred one. */
  extensions: readonly string[];
  mediaType: string;
  content: FormatContent;
  /** What the built-in engine reads: exact surfaces, or only triangles. Null: it cannot read the format. */
  reads: 'exact' | 'mesh' | null;
  /** The export of this format: its name in the API, the artifact kind of its files, and the kind it is written from. */
  export: { format: ExportFormat; kind: string; from: 'asm-json' | 'glb' | 'stp' } | null;
  /** The program that a worker needs to convert the format. Null: the built-in engine suffices, or nothing converts it. */
  worker: string | null;
};

/** The formats of exports. The GraphQL enum of the same name lists them too. */
export type ExportFormat = 'STP' | 'OFB' | FileExportFormat;
/** The formats that are written from one file. */
export type FileExportFormat = 'BREP' | MeshExportFormat;
export type MeshExportFormat = 'STL' | 'OBJ' | 'THREE_MF';

const OCTETS = 'application/octet-stream';

const native = (name: string, extensions: readonly string[], worker: string, mediaType = OCTETS): FileFormat => ({
  name,
  extensions,
  mediaType,
  content: 'native',
  reads: null,
  export: null,
  worker,
});

const mesh = (name: string, extensions: readonly string[], mediaType: string): FileFormat => ({
  name,
  extensions,
  mediaType,
  content: 'mesh',
  reads: 'mesh',
  export: null,
  worker: null,
});

const drawing = (name: string, extensions: readonly string[], mediaType: string): FileFormat => ({
  name,
  extensions,
  mediaType,
  content: 'drawing',
  reads: null,
  export: null,
  worker: null,
});

const step: FileFormat = {
  name: 'STEP',
  extensions: ['stp', 'step', 'p21'],
  mediaType: 'model/step',
  content: 'exact',
  reads: 'exact',
  export: { format: 'STP', kind: 'stp', from: 'asm-json' },
  worker: null,
};

/** The formats by id. A new format only needs a row here. */
export const FORMATS = {
  step,
  stepz: {
    ...step,
    name: 'STEP, compressed',
    extensions: ['stpz', 'stp.gz', 'step.gz'],
    mediaType: 'application/gzip',
    export: null,
  },
  // A plain .zip may contain anything: the page looks into it and gives it one of these extensions.
  stepzip: {
    ...step,
    name: 'STEP, in a ZIP archive',
    extensions: ['step.zip', 'stp.zip'],
    mediaType: 'application/zip',
    export: null,
  },
  ofb: {
    ...native('OFB', ['ofb'], 'ClassCAD'),
    export: { format: 'OFB', kind: 'ofb', from: 'asm-json' },
  },
  brep: {
    ...step,
    name: 'OCCT BREP',
    extensions: ['brep', 'brp'],
    mediaType: OCTETS,
    export: { format: 'BREP', kind: 'brep', from: 'stp' },
  },
  iges: { ...step, name: 'IGES', extensions: ['igs', 'iges'], mediaType: 'model/iges', reads: 'mesh', export: null },
  fcstd: {
    ...step,
    name: 'FreeCAD document',
    extensions: ['fcstd', 'fcstd.zip'],
    mediaType: 'application/x-extension-fcstd',
    export: null,
  },
  stl: { ...mesh('STL', ['stl'], 'model/stl'), export: { format: 'STL', kind: 'stl', from: 'glb' } },
  obj: { ...mesh('OBJ', ['obj'], 'model/obj'), export: { format: 'OBJ', kind: 'obj', from: 'glb' } },
  ply: mesh('PLY', ['ply'], 'model/ply'),
  '3mf': { ...mesh('3MF', ['3mf'], 'model/3mf'), export: { format: 'THREE_MF', kind: '3mf', from: 'glb' } },
  glb: mesh('glTF binary', ['glb'], 'model/gltf-binary'),
  gltf: mesh('glTF', ['gltf'], 'model/gltf+json'),
  solidworks: native('SOLIDWORKS', ['sldprt', 'sldasm'], 'SOLIDWORKS'),
  catia: native('CATIA V5', ['catpart', 'catproduct', 'cgr'], 'CATIA V5'),
  inventor: native('Autodesk Inventor', ['ipt', 'iam'], 'Autodesk Inventor'),
  creo: native('NX or Creo', ['prt'], 'Siemens NX or PTC Creo'),
  solidedge: native('Solid Edge', ['par', 'psm', 'asm'], 'Solid Edge'),
  fusion: native('Fusion archive', ['f3d', 'f3z'], 'Autodesk Fusion'),
  parasolid: native('Parasolid', ['x_t', 'x_b', 'xmt_txt', 'xmt_bin'], 'a Parasolid kernel'),
  acis: native('ACIS', ['sat', 'sab'], 'an ACIS kernel'),
  jt: native('JT', ['jt'], 'a JT toolkit', 'model/jt'),
  rhino: native('Rhino', ['3dm'], 'Rhino'),
  sketchup: native('SketchUp', ['skp'], 'SketchUp'),
  blender: native('Blender', ['blend'], 'Blender'),
  ifc: native('IFC model', ['ifc', 'ifczip'], 'IfcOpenShell'),
  dxf: drawing('DXF', ['dxf'], 'image/vnd.dxf'),
  dwg: drawing('DWG', ['dwg'], 'image/vnd.dwg'),
  pdf: drawing('PDF', ['pdf'], 'application/pdf'),
  png: drawing('PNG', ['png'], 'image/png'),
  jpeg: drawing('JPEG', ['jpg', 'jpeg'], 'image/jpeg'),
  svg: drawing('SVG', ['svg'], 'image/svg+xml'),
} as const satisfies Record<string, FileFormat>;

export type FormatId = keyof typeof FORMATS;

const ENTRIES = Object.entries(FORMATS) as [FormatId, FileFormat][];

/** Returns the id of the format that the extension of a file name belongs to. Null if there is none. */
export function formatOf(fileName: string): FormatId | null {
  // Creo appends a version number: bracket.prt.3
  const name = fileName.toLowerCase().replace(/\.(prt|asm)\.\d{1,4}$/, '.prt');
  return ENTRIES.find(([, { extensions }]) => extensions.some((each) => name.endsWith(`.${each}`)))?.[0] ?? null;
}

/** Returns whether a file of this format is the source of a model, and not an attachment. */
export function isModelFormat(id: FormatId | null): id is FormatId {
  return id !== null && FORMATS[id].content !== 'drawing';
}

/** The extensions of all sources of models, each with a dot. */
export const MODEL_EXTENSIONS: readonly string[] = ENTRIES.flatMap(([id, { extensions }]) =>
  isModelFormat(id) ? extensions.map((each) => `.${each}`) : [],
);

/** The formats of exports with their artifact kinds. */
export const EXPORTS: readonly ({ name: string; mediaType: string } & NonNullable<FileFormat['export']>)[] =
  ENTRIES.flatMap(([, { name, mediaType, export: exported }]) => (exported ? [{ name, mediaType, ...exported }] : []));

/** Returns the kind of file that an export is written from. An assembly has no STEP file until it is exported. */
export function exportSourceOf(
  { from }: NonNullable<FileFormat['export']>,
  documentKind: string,
): NonNullable<FileFormat['export']>['from'] {
  return from === 'stp' && documentKind === 'assembly' ? 'asm-json' : from;
}

/** Returns why the built-in engine does not read a file of this format, and which worker could convert it. */
export function unreadableMessage(id: FormatId): string {
  const { name, worker } = FORMATS[id] as FileFormat;
  const kept = `the file is stored, but the built-in engine cannot read the format "${name}"`;
  return worker ? `${kept}; a worker with ${worker} can convert it to STEP` : kept;
}
