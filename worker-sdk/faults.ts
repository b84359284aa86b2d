/** Thrown by a handler: the job cannot be done, and a retry with the same input cannot help. `code` is a word that can be searched for. */
export class FinalError extends Error {
  override readonly name = 'FinalError';
  readonly code: string;
  constructor(message: string, { code = 'failed', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Thrown by a handler: the fault was not the job's (an engine crashed, a licence was taken). The service tries it again by
 * itself, three times in all.
 */
export class PassingError extends Error {
  override readonly name = 'PassingError';
  readonly code: string;
  constructor(message: string, { code = 'engine_crashed', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** The service answered, and it was a refusal: its status, its code and its sentence. */
export class ServiceRefusal extends Error {
  override readonly name = 'ServiceRefusal';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
  constructor(status: number, code: string, message: string, retryAfterSeconds = 0) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Nobody answered: nothing is known about what became of the request. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Whether the same request may succeed later: nobody answered, too many requests, or a service that is unable for the moment. */
export function mayPass(error: unknown): boolean {
  return (
    error instanceof NoAnswer || (error instanceof ServiceRefusal && (error.status === 429 || error.status >= 500))
  );
}

/** Whether the service says that the job is in other hands, or in nobody's. */
export function isLost(error: unknown): boolean {
  return error instanceof ServiceRefusal && ['lease_lost', 'not_your_job', 'not_found'].includes(error.code);
}

/** Whether the service says that the input was replaced. */
export function isStale(error: unknown): boolean {
  return error instanceof ServiceRefusal && error.code === 'stale_input';
}
