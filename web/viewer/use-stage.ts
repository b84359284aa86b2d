// The model of a file on its stage: fetched, opened in an element, and taken down when it is no longer looked at.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fetchFile } from './fetch-file.ts';
import type { Frame, Stage } from './three/stage.ts';

export type StageState =
  | { step: 'loading'; part: number | undefined }
  | { step: 'open'; stage: Stage }
  | { step: 'failed'; error: Error };

/** Opens a GLB (its file record) in the element; the 3D library is fetched beside the file. */
export function useStage(
  host: RefObject<HTMLDivElement | null>,
  glb: { id: string; size: number },
  onFrame: (frame: Frame) => void,
): StageState {
  const [state, setState] = useState<StageState>({ step: 'loading', part: 0 });
  useEffect(() => {
    const gone = new AbortController();
    let stage: Stage | null = null;
    const open = async () => {
      const library = import('./three/stage.ts');
      library.catch(() => {}); // told below, unless the file fails first
      const data = await fetchFile(`/artifacts/${glb.id}/file`, glb.size, gone.signal, (part) =>
        setState({ step: 'loading', part }),
      );
      setState({ step: 'loading', part: undefined });
      const { openStage } = await library;
      if (gone.signal.aborted || !host.current) return;
      const opened = await openStage(host.current, data, onFrame);
      if (gone.signal.aborted) return opened.dispose();
      stage = opened;
      setState({ step: 'open', stage });
    };
    open().catch((error: unknown) => {
      if (!gone.signal.aborted)
        setState({ step: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    });
    return () => {
      gone.abort();
      stage?.dispose();
    };
  }, [glb.id]);
  return state;
}
