import { useEffect, useState } from 'preact/hooks';
import { rest } from '../shell/ask.ts';
import { isObject } from './params-form.ts';

/** What a generator says of itself in generator.json; the service has checked it. */
export type Manifest = {
  name: string;
  version: string;
  description: string | null;
  entry: string;
  makes: readonly { kind: string; name: string }[];
  params: unknown;
};
type Read = { manifest: Manifest | null; error: Error | null };

const known = new Map<string, Manifest>();

/** Reads the manifest that was stored with the code; `file` null reads nothing. */
export function useManifest(file: { id: string; sha256: string } | null): Read {
  const [read, setRead] = useState<Read & { of: string | null }>({ of: null, manifest: null, error: null });
  const of = file?.sha256 ?? null;
  useEffect(() => {
    if (!file || known.has(file.sha256)) return;
    const gone = new AbortController();
    rest(`/artifacts/${encodeURIComponent(file.id)}/file`, { signal: gone.signal })
      .then((response) => response.json())
      .then(
        (json: unknown) => {
          const manifest = manifestOf(json);
          known.set(file.sha256, manifest);
          setRead({ of, manifest, error: null });
        },
        (error: unknown) => {
          if (!gone.signal.aborted)
            setRead({ of, manifest: null, error: error instanceof Error ? error : new Error(String(error)) });
        },
      );
    return () => gone.abort();
  }, [of]);
  return { manifest: of === null ? null : (known.get(of) ?? null), error: read.of === of ? read.error : null };
}

function manifestOf(json: unknown): Manifest {
  const said = isObject(json) ? json : {};
  const makes = Array.isArray(said.makes) ? said.makes : [];
  return {
    name: String(said.name),
    version: String(said.version),
    entry: String(said.entry),
    description: typeof said.description === 'string' ? said.description : null,
    makes: makes.flatMap((made: unknown) =>
      isObject(made) ? [{ kind: String(made.kind), name: String(made.name) }] : [],
    ),
    params: said.params ?? { type: 'object' },
  };
}
