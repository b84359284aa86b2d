/**
 * Throw from a handler when the job cannot succeed with the same input: it fails and is not retried automatically.
 * `code` is a stable identifier for programs.
 */
export class UnrecoverableError extends Error {
  override readonly name = 'UnrecoverableError';
  readonly code: string;
  constructor(message: string, { code = 'failed', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * Throw from a handler when the cause is temporary (an engine crash, no free license). The service retries the job
 * automatically, up to three attempts in all.
 */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
  readonly code: string;
  constructor(message: string, { code = 'engine_crashed', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** An error response of the service: its HTTP status, error code, message, and the whole problem body as `details`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(
    status: number,
    code: string,
    message: string,
    retryAfterSeconds = 0,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.details = details;
  }
}

/** No complete response arrived: the request may or may not have taken effect. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** The downloaded bytes do not match the SHA-256 of the file. */
export class DigestMismatchError extends ConnectionError {
  override readonly name = 'DigestMismatchError';
}

/** Whether the same request may succeed later: a connection error, 429 or a 5xx status. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500))
  );
}

/** Whether the service reports that this worker no longer holds the job. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof ApiError && ['lease_lost', 'not_your_job', 'not_found'].includes(error.code);
}

/** Whether the service reports that the input was replaced. */
export function isStaleInput(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'stale_input';
}
