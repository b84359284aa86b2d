/** Returns the path of the file that one of `candidates`, the names written in the file `from`, means; null if none. */
export type FindStepFile = (from: string, candidates: readonly string[]) => string | null;

/**
 * Creates a function that finds files of an archive, or of a selection. Systems write paths of their own machine: a path
 * relative to the referencing file is preferred. Otherwise the file name decides, with or without its extension, and
 * among equal names the one whose folders agree the longest, then the one beside the referencing file. Case, the form of
 * accented letters and percent encoding make no difference.
 */
export function createStepFileFinder(paths: Iterable<string>): FindStepFile {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const normal = normalize(path);
    byPath.set(normal, path);
    const base = nameOf(normal);
    for (const name of new Set([base, withoutExtension(base)])) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return (from, candidates) => {
    const folder = folderOf(normalize(from));
    for (const name of candidates.flatMap(spellingsOf)) {
      const exact = byPath.get(join(folder, name));
      if (exact !== undefined && exact !== from) return exact;
      const others = (byName.get(nameOf(name)) ?? []).filter((path) => path !== from);
      const closest = closestTo(name, others);
      const beside = closest.filter((path) => folderOf(normalize(path)) === folder);
      const [only, ...more] = beside.length ? beside : closest;
      if (only !== undefined && !more.length) return only;
    }
    return null;
  };
}

const normalize = (name: string) => name.replaceAll('\\', '/').normalize('NFC').toLowerCase();
const withoutExtension = (name: string) => name.replace(/\.[^.]*$/, '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

// Resolves `..` and `.` in the path of a file relative to a folder.
function join(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of `${folder}/${path}`.split('/')) {
    if (name === '..') names.pop();
    else if (name && name !== '.') names.push(name);
  }
  return names.join('/');
}

// A percent sign may also belong to the name.
const spellingsOf = (name: string) => [...new Set([normalize(name), normalize(percentDecoded(name))])];

const percentDecoded = (name: string) =>
  name.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) =>
    new TextDecoder().decode(Uint8Array.from(encoded.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))),
  );

// Returns the paths that end with the most folders of the name.
function closestTo(name: string, paths: readonly string[]): string[] {
  const folders = name.split('/').toReversed().slice(1);
  const agreementOf = (path: string) => {
    const own = normalize(path).split('/').toReversed().slice(1);
    const differs = folders.findIndex((folder, i) => folder !== own[i]);
    return differs < 0 ? folders.length : differs;
  };
  const agreements = paths.map(agreementOf);
  const best = Math.max(...agreements);
  return paths.filter((_, i) => agreements[i] === best);
}
