// The catalogue of error codes. It has no HTTP status codes: http/response/status.ts maps each kind to one.

/** The kind of an error, which decides how each API reports it. */
export type ErrorKind =
  | 'invalid' // the request is malformed
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'request-timeout' // the request arrived too slowly
  | 'method-not-allowed' // the path does not support the method
  | 'conflict' // valid, but not in the current state
  | 'precondition'
  | 'too-large'
  | 'unsupported-media'
  | 'misdirected' // the request is for another host
  | 'unprocessable' // well-formed, but against a rule in any state
  | 'range-not-satisfiable' // the file does not have the requested bytes
  | 'locked'
  | 'headers-too-large'
  | 'rate-limited'
  | 'unavailable'
  | 'storage-full'
  | 'timeout'
  | 'internal';

type CatalogueEntry = { kind: ErrorKind; title: string };

/** All error codes with their kind and title (RFC 9457). A test compares them with docs/errors.md. */
export const CATALOGUE = {
  validation_failed: { kind: 'invalid', title: 'The request is not valid' },
  unknown_artifact_kind: { kind: 'invalid', title: 'The artifact kind does not exist' },
  bad_cursor: { kind: 'invalid', title: 'The cursor is not valid for this list' },
  bad_address: { kind: 'invalid', title: 'The address is not a pdm:// address' },
  unauthenticated: { kind: 'unauthenticated', title: 'A valid token is required' },
  forbidden: { kind: 'forbidden', title: 'Permission denied' },
  admin_only: { kind: 'forbidden', title: 'Only administrators can do this' },
  bad_link: { kind: 'forbidden', title: 'The link is invalid or has expired' },
  cross_site_request: { kind: 'forbidden', title: 'The browser request lacks the CSRF header' },
  not_your_job: { kind: 'forbidden', title: 'This token does not hold the job' },
  not_found: { kind: 'not-found', title: 'Not found' },
  request_timeout: { kind: 'request-timeout', title: 'The request did not arrive in time' },
  method_not_allowed: { kind: 'method-not-allowed', title: 'Method not allowed' },
  number_taken: { kind: 'conflict', title: 'The document number is already in use' },
  name_taken: { kind: 'conflict', title: 'The name is already in use' },
  draft_would_lose: { kind: 'conflict', title: 'The draft has changes that have not been saved as a version' },
  stale_input: { kind: 'conflict', title: 'The source has changed since the result was created' },
  lease_lost: { kind: 'conflict', title: 'The lease has expired or was lost' },
  not_reserved_by_other: { kind: 'conflict', title: 'No other user has reserved the workspace' },
  already_released: { kind: 'conflict', title: 'The version is already released' },
  already_obsolete: { kind: 'conflict', title: 'The revision is already obsolete' },
  document_released: { kind: 'conflict', title: 'The document has been released' },
  document_in_use: { kind: 'conflict', title: 'The document is in use' },
  revision_in_use: { kind: 'conflict', title: 'The revision is in use' },
  workspace_has_versions: { kind: 'conflict', title: 'The workspace has versions' },
  last_workspace: { kind: 'conflict', title: 'The last workspace of a document cannot be deleted' },
  folder_not_empty: { kind: 'conflict', title: 'The folder is not empty' },
  document_archived: { kind: 'conflict', title: 'The document is archived' },
  workspace_archived: { kind: 'conflict', title: 'The workspace is archived' },
  job_not_failed: { kind: 'conflict', title: 'Only a failed job can be retried' },
  result_missing: { kind: 'conflict', title: 'The job has not delivered its results' },
  job_not_cancellable: { kind: 'conflict', title: 'The job has already ended' },
  children_not_released: { kind: 'conflict', title: 'The assembly uses unreleased or obsolete documents' },
  not_converted: { kind: 'conflict', title: 'A part has not been converted' },
  no_measuring_data: { kind: 'conflict', title: 'The draft or version has no measuring data' },
  response_not_replayable: { kind: 'conflict', title: 'The response cannot be replayed' },
  code_not_synced: { kind: 'conflict', title: 'The code has not been synchronized' },
  precondition_failed: { kind: 'precondition', title: 'The record has changed since it was read' },
  file_too_large: { kind: 'too-large', title: 'The file is too large' },
  unsupported_media_type: { kind: 'unsupported-media', title: 'Unsupported media type' },
  range_not_satisfiable: { kind: 'range-not-satisfiable', title: 'Range not satisfiable' },
  unknown_host: { kind: 'misdirected', title: 'The service does not have this host name' },
  wrong_kind: { kind: 'unprocessable', title: 'The document kind does not support this operation' },
  not_a_draft: { kind: 'unprocessable', title: 'Only a draft can be changed' },
  not_a_version: { kind: 'unprocessable', title: 'The operation requires a version' },
  wrong_document: { kind: 'unprocessable', title: 'The version belongs to another document' },
  reference_cycle: { kind: 'unprocessable', title: 'The assembly would contain itself' },
  unresolved_reference: { kind: 'unprocessable', title: 'A reference cannot be resolved' },
  folder_cycle: { kind: 'unprocessable', title: 'A folder cannot be inside itself' },
  invalid_asm_json: { kind: 'unprocessable', title: 'The asm.json is not valid' },
  invalid_result: { kind: 'unprocessable', title: 'The result is not valid' },
  code_not_fetched: { kind: 'unprocessable', title: 'The code could not be fetched' },
  invalid_params: { kind: 'unprocessable', title: 'The parameters are not valid' },
  invalid_manifest: { kind: 'unprocessable', title: 'The manifest is not valid' },
  needs_classcad: { kind: 'unprocessable', title: 'No ClassCAD engine is connected' },
  idempotency_mismatch: { kind: 'unprocessable', title: 'The idempotency key was used for another request' },
  workspace_reserved: { kind: 'locked', title: 'Another user has reserved the workspace' },
  headers_too_large: { kind: 'headers-too-large', title: 'The request headers are too large' },
  rate_limited: { kind: 'rate-limited', title: 'Too many requests' },
  unavailable: { kind: 'unavailable', title: 'A part of the service is unavailable' },
  overloaded: { kind: 'unavailable', title: 'The service is overloaded' },
  storage_full: { kind: 'storage-full', title: 'The storage is full' },
  timeout: { kind: 'timeout', title: 'The request took too long' },
  internal: { kind: 'internal', title: 'Internal error' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof CATALOGUE;

/**
 * An error that clients see: a code, a message that says what failed and what to do, and details specific to the code.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** An invalid field of a request or file: its JSON pointer and what is wrong. */
export type FieldError = { path: string; message: string };

/** Throws a DomainError. */
export function refuse(code: ErrorCode, message: string, details?: Record<string, unknown>): never {
  throw new DomainError(code, message, details);
}

/** Throws `validation_failed` for a top-level field of the request. */
export function refuseField(field: string, message: string): never {
  return refuse('validation_failed', `${field} ${message}.`, { errors: [{ path: `/${field}`, message }] });
}

/**
 * Runs the validations of several fields and returns their results. Throws one `validation_failed` with the errors of
 * all fields.
 */
export function validateAll<T extends object>(validations: { readonly [K in keyof T]: () => T[K] }): T {
  const results: Partial<T> = {};
  const failures: DomainError[] = [];
  for (const field of Object.keys(validations) as (keyof T)[])
    try {
      results[field] = validations[field]();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      failures.push(error);
    }
  const [failure, ...others] = failures;
  if (failure && !others.length) throw failure;
  if (failure) refuseFields(failures.flatMap(fieldErrorsOf));
  return results as T;
}

/** Returns the field errors that an error lists. */
export function fieldErrorsOf({ details }: DomainError): FieldError[] {
  return Array.isArray(details.errors) ? (details.errors as FieldError[]) : [];
}

/** Throws `validation_failed` with all errors; the path of the whole body is empty. */
export function refuseFields(errors: readonly FieldError[]): never {
  const texts = errors.map(({ path, message }) => `${path.slice(1) || 'The body'} ${message}`);
  return refuse('validation_failed', `${texts.join('; ')}.`, { errors });
}

/** Creates the error for a missing record; `what` is its type, e.g. `document`. */
export function notFound(what: string, id: string): DomainError {
  return new DomainError('not_found', `There is no ${what} ${id.trim() ? id : JSON.stringify(id)}.`, { what, id });
}
