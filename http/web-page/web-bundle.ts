// Bundles the web app (web/) and prints the result as JSON. Runs as a separate process, started by web-page.ts: the
// bundler needs 200 MB for half a second, which the API should not keep.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A file of the web app. `name` contains a hash of the text, so it can be cached forever. */
export type Asset = { name: string; text: string };
/** `initialChunks`: the scripts that the page loads immediately, the entry first. The others are loaded on demand. */
export type Bundle = { initialChunks: string[]; style: string; assets: Asset[] };

const WEB_FOLDER = new URL('../../web/', import.meta.url);

/**
 * Bundles web/main.tsx and concatenates the stylesheets, shared ones first. Throws if sources do not parse or imports
 * are missing.
 */
async function bundleWeb(): Promise<Bundle> {
  const bundler = await rolldown({
    input: { page: fileURLToPath(new URL('main.tsx', WEB_FOLDER)) },
    platform: 'browser',
    tsconfig: fileURLToPath(new URL('tsconfig.json', WEB_FOLDER)),
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    onwarn: (warning) => console.error(warning.message),
  });
  const { output } = await bundler.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundler.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (!entry) throw new Error('The bundler produced no entry for web/main.tsx');
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  const withImports = (name: string): Set<string> =>
    new Set([name, ...(imports.get(name) ?? []).flatMap((inner) => [...withImports(inner)])]);
  const style = stylesheet();
  return {
    initialChunks: [...withImports(entry.fileName)],
    style: style.name,
    assets: [...chunks.map(({ fileName, code }) => ({ name: fileName, text: code })), style],
  };
}

function stylesheet(): Asset {
  const names = ['styles/*.css', '*/*.css'].flatMap((pattern) => globSync(pattern, { cwd: WEB_FOLDER }).sort());
  const text = [...new Set(names)].map((name) => readFileSync(new URL(name, WEB_FOLDER), 'utf8')).join('\n');
  return { name: `page-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`, text };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await bundleWeb()));
