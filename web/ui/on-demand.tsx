import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorMessage, Loading } from './status.tsx';

type State<Props> = { Component: ComponentType<Props> } | { error: Error } | null;

/** Returns a component whose code is loaded when it is first shown. */
export function onDemand<Props>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  let loaded: State<Props> = null;
  return function OnDemand(props) {
    const [state, setState] = useState<State<Props>>(loaded);
    useEffect(() => {
      if (state) return;
      load().then(
        (Component) => {
          loaded = { Component };
          setState(loaded);
        },
        (reason: unknown) => setState({ error: reason instanceof Error ? reason : new Error(String(reason)) }),
      );
    }, [state]);
    if (!state) return <Loading />;
    if ('error' in state) return <ErrorMessage error={state.error} onRetry={() => setState(null)} />;
    return <state.Component {...props} />;
  };
}
