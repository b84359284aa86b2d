// The web page made of its sources (web/): a process of its own, because the bundler takes 200 MB for half a second that the API should not keep.
// It prints what it made as one JSON text. Started by web-page.ts.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A file of the page: `name` has a digest of its text, so that it may be kept for ever. */
export type Asset = { name: string; text: string };
/** `first` are the scripts the page needs at once, the entry foremost; the others are fetched when somebody opens what they draw. */
export type Bundle = { first: string[]; style: string; assets: Asset[] };

const WEB = new URL('../../web/', import.meta.url);

/** Bundles web/main.tsx and joins web/styles/*.css in the order of their names. Refuses sources that do not parse or import what is not there. */
async function bundleWeb(): Promise<Bundle> {
  const bundler = await rolldown({
    input: { page: fileURLToPath(new URL('main.tsx', WEB)) },
    platform: 'browser',
    tsconfig: fileURLToPath(new URL('tsconfig.json', WEB)),
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
  if (!entry) throw new Error('The bundler made no entry of web/main.tsx');
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  const needed = (name: string): Set<string> =>
    new Set([name, ...(imports.get(name) ?? []).flatMap((inner) => [...needed(inner)])]);
  const style = stylesheet();
  return {
    first: [...needed(entry.fileName)],
    style: style.name,
    assets: [...chunks.map(({ fileName, code }) => ({ name: fileName, text: code })), style],
  };
}

function stylesheet(): Asset {
  const folder = new URL('styles/', WEB);
  const names = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const text = names
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  return { name: `page-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`, text };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await bundleWeb()));
