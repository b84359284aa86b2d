// Reads a JSON artifact once.
import { useEffect, useState } from 'preact/hooks';
import { restRequest } from '../shell/api-client.ts';

/** Returns the content of an artifact; undefined until it is read, and null if it cannot be or if there is none. */
export function useArtifactJson(artifactId: string | null): unknown {
  const [read, setRead] = useState<{ id: string; content: unknown } | null>(null);
  useEffect(() => {
    if (artifactId === null) return;
    const controller = new AbortController();
    restRequest(`/artifacts/${artifactId}/file`, { signal: controller.signal })
      .then((response) => response.json())
      .catch(() => null) // the view shows less without it
      .then((content: unknown) => !controller.signal.aborted && setRead({ id: artifactId, content }));
    return () => controller.abort();
  }, [artifactId]);
  if (artifactId === null) return null;
  return read?.id === artifactId ? read.content : undefined;
}
