// Reads JSON artifacts.
import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';

/** Returns the content of a JSON artifact. Throws if it cannot be read. */
export const readArtifactJson = async (id: string, signal?: AbortSignal): Promise<unknown> =>
  (await restRequest(`/artifacts/${id}/file`, { signal })).json();

/** Reads an artifact once. Returns its content; undefined until it is read, and null if it cannot be or if there is none. */
export function useArtifactJson(artifactId: string | null): unknown {
  const [read, setRead] = useState<{ id: string; content: unknown } | null>(null);
  useEffect(() => {
    if (artifactId === null) return;
    const controller = new AbortController();
    readArtifactJson(artifactId, controller.signal)
      .catch(() => null) // the view shows less without it
      .then((content: unknown) => !controller.signal.aborted && setRead({ id: artifactId, content }));
    return () => controller.abort();
  }, [artifactId]);
  if (artifactId === null) return null;
  return read?.id === artifactId ? read.content : undefined;
}
