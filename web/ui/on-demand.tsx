// Components whose code is loaded when they are first shown.
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { asError } from './errors.ts';
import { ErrorMessage, Loading } from './status.tsx';
import { showError } from './toasts.tsx';

type Load<Props> = () => Promise<ComponentType<Props>>;
type State<Props> = { Component: ComponentType<Props> } | { error: Error } | null;

/** Returns a component whose code is loaded when it is first shown. */
export function onDemand<Props>(load: Load<Props>): FunctionComponent<Props> {
  const useLoaded = loadOnce(load);
  return function OnDemand(props) {
    const { state, retry } = useLoaded();
    if (!state) return <Loading />;
    if ('error' in state) return <ErrorMessage error={state.error} onRetry={retry} />;
    return <state.Component {...props} />;
  };
}

/** Returns a dialog whose code is loaded when it is first opened. If that fails, shows the error and calls `onClose`. */
export function dialogOnDemand<Props extends { onClose: () => void }>(load: Load<Props>): FunctionComponent<Props> {
  const useLoaded = loadOnce(load);
  return function DialogOnDemand(props) {
    const { state } = useLoaded();
    const error = state && 'error' in state ? state.error : null;
    useEffect(() => {
      if (!error) return;
      showError(error);
      props.onClose();
    }, [error]);
    return state && 'Component' in state ? <state.Component {...props} /> : null;
  };
}

function loadOnce<Props>(load: Load<Props>): () => { state: State<Props>; retry: () => void } {
  let loaded: State<Props> = null;
  return function useLoaded() {
    const [state, setState] = useState<State<Props>>(loaded);
    useEffect(() => {
      if (state) return;
      load().then(
        (Component) => {
          loaded = { Component };
          setState(loaded);
        },
        (reason: unknown) => setState({ error: asError(reason) }),
      );
    }, [state]);
    return { state, retry: () => setState(null) };
  };
}
