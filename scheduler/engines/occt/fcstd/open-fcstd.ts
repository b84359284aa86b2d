import { posix } from 'node:path';
import { unzip } from '../formats/unzip.ts';
import { fail } from '../job-failure.ts';
import { type FcstdProperties, readObjects } from './read-objects.ts';

/** An opened FreeCAD document: `path` is its name in the archive that contains it. */
export type FcstdDocument = FcstdProperties & { path: string; files: ReadonlyMap<string, Uint8Array> };

/** A FreeCAD document and those of the same archive that it may link to, by path. */
export type FcstdSource = { main: FcstdDocument; others: ReadonlyMap<string, FcstdDocument> };

const FCSTD = /\.fcstd$/i;
const CONTENT = /^(Document\.xml|GuiDocument\.xml|[^/]+\.(brp|bin)|(PlacementList|DiffuseColor|ShapeAppearance)\d*)$/;

/**
 * Opens a FreeCAD document, or a ZIP archive of a document and those that it links to. Throws JobFailure `too_large` if
 * the content has more than `maxBytes`, `truncated` or `syntax` if it is damaged, `unsupported_format` if an archive has
 * several documents that no other links to.
 */
export function openFcstd(bytes: Buffer, maxBytes: number): FcstdSource {
  let left = maxBytes;
  const unpack = (archive: Uint8Array, pattern: RegExp) => {
    const files = unzip(archive, pattern, left);
    for (const { length } of files.values()) left -= length;
    return files;
  };
  const open = (path: string, archive: Uint8Array): FcstdDocument => {
    const files = unpack(archive, CONTENT);
    const document = files.get('Document.xml');
    if (!document) fail('syntax', 'the file is not a FreeCAD document: it has no Document.xml');
    return { path, files, ...readObjects(document, files.get('GuiDocument.xml')) };
  };
  const documents = [...unpack(bytes, FCSTD)].map(([path, archive]) => open(path, archive));
  if (!documents.length) return { main: open('', bytes), others: new Map() };
  const others = new Map(documents.map((document) => [document.path.toLowerCase(), document]));
  const linked = new Set(documents.flatMap((document) => linkedPaths(document)));
  const roots = documents.filter(({ path }) => !linked.has(path.toLowerCase()));
  const [main] = roots;
  if (!main || roots.length > 1)
    fail(
      'unsupported_format',
      `the archive has ${roots.length} FreeCAD documents that no other one links to; one is expected`,
    );
  return { main, others };
}

function linkedPaths(document: FcstdDocument): string[] {
  return [...document.objects.values()].flatMap(({ link }) => (link?.file ? [linkedPath(document, link.file)] : []));
}

/** Returns the path of a linked file in the archive, in lower case. */
export function linkedPath({ path }: FcstdDocument, file: string): string {
  return posix.join(posix.dirname(path), file.replaceAll('\\', '/')).toLowerCase();
}
