// The error of a failed job.
import type { ComponentChildren } from 'preact';
import { explainJobError } from './explain-job-error.ts';

type JobErrorProps = {
  error: { code: string; message: string };
  /** Actions, e.g. a retry button. */
  children?: ComponentChildren;
};

/** An explanation of the error for the user, and the engine's message below. */
export function JobError({ error: { code, message }, children }: JobErrorProps) {
  return (
    <div class="problem" role="alert">
      <span>
        {explainJobError(code)}
        <small class="wrap">
          {message} (<span class="mono">{code}</span>)
        </small>
      </span>
      {children}
    </div>
  );
}
