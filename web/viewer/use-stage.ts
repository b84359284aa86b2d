// Opens a GLB file on a stage, and disposes of it when the component unmounts.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asError } from '../ui/errors.ts';
import { fetchFile } from './fetch-file.ts';
import type { Frame, Stage } from './three/stage.ts';

export type StageState =
  | { step: 'loading'; fraction: number | undefined }
  | { step: 'open'; stage: Stage }
  | { step: 'failed'; error: Error };

/** Downloads a GLB (given by its artifact record) and opens it in the element; loads the 3D library in parallel. */
export function useStage(
  host: RefObject<HTMLDivElement | null>,
  glb: { id: string; size: number },
  onFrame: (frame: Frame) => void,
): StageState {
  const [state, setState] = useState<StageState>({ step: 'loading', fraction: 0 });
  useEffect(() => {
    const controller = new AbortController();
    let stage: Stage | null = null;
    const open = async () => {
      const library = import('./three/stage.ts');
      library.catch(() => {}); // awaited below, unless the download fails first
      const data = await fetchFile(`/artifacts/${glb.id}/file`, glb.size, controller.signal, (fraction) =>
        setState({ step: 'loading', fraction }),
      );
      setState({ step: 'loading', fraction: undefined });
      const { openStage } = await library;
      if (controller.signal.aborted || !host.current) return;
      const opened = await openStage(host.current, data, onFrame);
      if (controller.signal.aborted) return opened.dispose();
      stage = opened;
      setState({ step: 'open', stage });
    };
    open().catch((error: unknown) => {
      if (!controller.signal.aborted) setState({ step: 'failed', error: asError(error) });
    });
    return () => {
      controller.abort();
      stage?.dispose();
    };
  }, [glb.id]);
  return state;
}
