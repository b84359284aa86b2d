import { posix } from 'node:path';

/** Returns the path of the file that one of `candidates`, the names written in the file `from`, means; null if none. */
export type FindStepFile = (from: string, candidates: readonly string[]) => string | null;

/**
 * Creates a function that finds files of an archive. Systems write paths of their own machine: a path relative to the
 * referencing file is preferred. Otherwise the file name decides, with or without its extension, and among equal names
 * the one whose folders agree the longest. Case, the form of accented letters and percent encoding make no difference.
 */
export function createStepFileFinder(paths: Iterable<string>): FindStepFile {
  const byPath = new Map<string, string>();
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const normal = normalize(path);
    byPath.set(normal, path);
    const base = posix.basename(normal);
    for (const name of new Set([base, withoutExtension(base)])) byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  return (from, candidates) => {
    for (const name of candidates.flatMap(spellingsOf)) {
      const exact = byPath.get(posix.join(posix.dirname(normalize(from)), name));
      if (exact !== undefined && exact !== from) return exact;
      const found = closest(
        (byName.get(posix.basename(name)) ?? []).filter((path) => path !== from),
        name,
      );
      if (found !== null) return found;
    }
    return null;
  };
}

const normalize = (name: string) => name.replaceAll('\\', '/').normalize('NFC').toLowerCase();
const withoutExtension = (name: string) => name.replace(/\.[^.]*$/, '');

// A percent sign may also belong to the name.
const spellingsOf = (name: string) => [...new Set([normalize(name), normalize(percentDecoded(name))])];

const percentDecoded = (name: string) =>
  name.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString());

// Null if several paths end with equally many folders of the name.
function closest(paths: readonly string[], name: string): string | null {
  const folders = name.split('/').toReversed().slice(1);
  const agreementOf = (path: string) => {
    const own = normalize(path).split('/').toReversed().slice(1);
    const differs = folders.findIndex((folder, i) => folder !== own[i]);
    return differs < 0 ? folders.length : differs;
  };
  const agreements = paths.map(agreementOf);
  const best = Math.max(...agreements);
  const [only, ...more] = paths.filter((_, i) => agreements[i] === best);
  return only !== undefined && !more.length ? only : null;
}
