// Reads the manifest of a generator.
import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';
import { isObject } from '../shell/is-object.ts';
import { asError } from '../ui/errors.ts';

/** The content of generator.json, validated by the service. */
export type Manifest = {
  name: string;
  version: string;
  description: string | null;
  entry: string;
  makes: readonly { kind: string; name: string }[];
  params: unknown;
};
type ManifestState = { manifest: Manifest | null; error: Error | null };

const cache = new Map<string, Manifest>();

/** Reads the manifest stored with the code; reads nothing if `file` is null. */
export function useManifest(file: { id: string; sha256: string } | null): ManifestState {
  const [state, setState] = useState<ManifestState & { sha256: string | null }>({
    sha256: null,
    manifest: null,
    error: null,
  });
  const sha256 = file?.sha256 ?? null;
  useEffect(() => {
    if (!file || cache.has(file.sha256)) return;
    const controller = new AbortController();
    restRequest(`/artifacts/${encodeURIComponent(file.id)}/file`, { signal: controller.signal })
      .then((response) => response.json())
      .then(
        (json: unknown) => {
          const manifest = parseManifest(json);
          cache.set(file.sha256, manifest);
          setState({ sha256, manifest, error: null });
        },
        (error: unknown) => {
          if (!controller.signal.aborted) setState({ sha256, manifest: null, error: asError(error) });
        },
      );
    return () => controller.abort();
  }, [sha256]);
  return {
    manifest: sha256 === null ? null : (cache.get(sha256) ?? null),
    error: state.sha256 === sha256 ? state.error : null,
  };
}

function parseManifest(json: unknown): Manifest {
  const manifest = isObject(json) ? json : {};
  const makes = Array.isArray(manifest.makes) ? manifest.makes : [];
  return {
    name: String(manifest.name),
    version: String(manifest.version),
    entry: String(manifest.entry),
    description: typeof manifest.description === 'string' ? manifest.description : null,
    makes: makes.flatMap((made: unknown) =>
      isObject(made) ? [{ kind: String(made.kind), name: String(made.name) }] : [],
    ),
    params: manifest.params ?? { type: 'object' },
  };
}
