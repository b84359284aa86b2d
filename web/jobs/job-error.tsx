import type { ComponentChildren } from 'preact';
import { engineWords } from './engine-words.ts';

type JobErrorProps = {
  error: { code: string; message: string } /** What one can do about it. */;
  children?: ComponentChildren;
};

/** Why a job failed: what that means for the person whose file it was, and the engine's own words below. */
export function JobError({ error: { code, message }, children }: JobErrorProps) {
  return (
    <div class="problem" role="alert">
      <span>
        {engineWords(code)}
        <small class="wrap">
          {message} (<span class="mono">{code}</span>)
        </small>
      </span>
      {children}
    </div>
  );
}
