// The one catalogue of refusals. The domain knows code and kind; status numbers belong to the REST adapter (http/response/status.ts).

/** What sort of refusal it is: decides how each edge answers. */
export type ErrorKind =
  | 'invalid' // the request makes no sense
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'request-timeout' // the request itself came too slowly
  | 'method-not-allowed' // the address does not take this method
  | 'conflict' // it makes sense, but not in the present state
  | 'precondition'
  | 'too-large'
  | 'unsupported-media'
  | 'misdirected' // it is meant for another host
  | 'unprocessable' // well-formed, but against a rule whatever the state
  | 'range-not-satisfiable' // the file does not have these bytes
  | 'locked'
  | 'headers-too-large'
  | 'rate-limited'
  | 'unavailable'
  | 'storage-full'
  | 'timeout'
  | 'internal';

type Entry = { kind: ErrorKind; title: string };

/** Every code a client can meet, with its kind and its title (RFC 9457 `title`). docs/errors.md lists the same, and a test compares them. */
export const CATALOGUE = {
  validation_failed: { kind: 'invalid', title: 'The request is not valid' },
  unknown_artifact_kind: { kind: 'invalid', title: 'There is no such kind of artifact' },
  bad_cursor: { kind: 'invalid', title: 'The cursor is not one of this list' },
  bad_address: { kind: 'invalid', title: 'The address is not a pdm:// address' },
  unauthenticated: { kind: 'unauthenticated', title: 'A valid token is needed' },
  forbidden: { kind: 'forbidden', title: 'The role of this token does not allow it' },
  admin_only: { kind: 'forbidden', title: 'Only administrators may do this' },
  bad_link: { kind: 'forbidden', title: 'The link is not good, or no longer' },
  cross_site_request: { kind: 'forbidden', title: 'The request does not come from a page of this service' },
  not_your_job: { kind: 'forbidden', title: 'The job is not held by this worker' },
  not_found: { kind: 'not-found', title: 'There is nothing at this address' },
  request_timeout: { kind: 'request-timeout', title: 'The request did not arrive in time' },
  method_not_allowed: { kind: 'method-not-allowed', title: 'This address does not take this method' },
  number_taken: { kind: 'conflict', title: 'The document number is taken' },
  name_taken: { kind: 'conflict', title: 'The name is taken' },
  draft_would_lose: { kind: 'conflict', title: 'The draft holds work that no version holds' },
  stale_input: { kind: 'conflict', title: 'The source has changed since the result was made' },
  lease_lost: { kind: 'conflict', title: 'The lease has ended' },
  not_reserved_by_other: { kind: 'conflict', title: 'No other user has reserved the workspace' },
  already_released: { kind: 'conflict', title: 'The version is released already' },
  already_obsolete: { kind: 'conflict', title: 'The revision is obsolete already' },
  document_released: { kind: 'conflict', title: 'The document has been released' },
  document_in_use: { kind: 'conflict', title: 'The document is used by others' },
  revision_in_use: { kind: 'conflict', title: 'The revision is used by others' },
  workspace_has_versions: { kind: 'conflict', title: 'The workspace has versions of its own' },
  last_workspace: { kind: 'conflict', title: 'A document keeps at least one workspace' },
  folder_not_empty: { kind: 'conflict', title: 'The folder is not empty' },
  document_archived: { kind: 'conflict', title: 'The document is archived' },
  workspace_archived: { kind: 'conflict', title: 'The workspace is archived' },
  job_not_failed: { kind: 'conflict', title: 'Only a failed job can be retried' },
  result_missing: { kind: 'conflict', title: 'The job has not delivered what it was to make' },
  job_not_cancellable: { kind: 'conflict', title: 'The job has ended already' },
  children_not_released: { kind: 'conflict', title: 'The assembly uses unreleased documents' },
  not_converted: { kind: 'conflict', title: 'A part has no converted file' },
  response_not_replayable: { kind: 'conflict', title: 'The response cannot be replayed' },
  code_not_synced: { kind: 'conflict', title: 'The code has not been synchronised yet' },
  precondition_failed: { kind: 'precondition', title: 'The record has changed since it was read' },
  file_too_large: { kind: 'too-large', title: 'The file is too large' },
  unsupported_media_type: { kind: 'unsupported-media', title: 'This kind of body is not understood' },
  range_not_satisfiable: { kind: 'range-not-satisfiable', title: 'The file does not have these bytes' },
  unknown_host: { kind: 'misdirected', title: 'This service does not have that name' },
  wrong_kind: { kind: 'unprocessable', title: 'The document is of another kind' },
  not_a_draft: { kind: 'unprocessable', title: 'Only a draft can be changed' },
  not_a_version: { kind: 'unprocessable', title: 'A draft is not a version' },
  wrong_document: { kind: 'unprocessable', title: 'The version belongs to another document' },
  reference_cycle: { kind: 'unprocessable', title: 'The assembly would contain itself' },
  unresolved_reference: { kind: 'unprocessable', title: 'A reference leads nowhere' },
  folder_cycle: { kind: 'unprocessable', title: 'A folder cannot lie inside itself' },
  invalid_asm_json: { kind: 'unprocessable', title: 'The asm.json is not valid' },
  code_not_fetched: { kind: 'unprocessable', title: 'The code could not be fetched' },
  invalid_params: { kind: 'unprocessable', title: 'The parameters are not valid' },
  invalid_manifest: { kind: 'unprocessable', title: 'The manifest is not valid' },
  idempotency_mismatch: { kind: 'unprocessable', title: 'The idempotency key was used for another request' },
  workspace_reserved: { kind: 'locked', title: 'The workspace is reserved by somebody else' },
  headers_too_large: { kind: 'headers-too-large', title: 'The request headers are too large' },
  rate_limited: { kind: 'rate-limited', title: 'Too many requests' },
  unavailable: { kind: 'unavailable', title: 'A part of the service does not answer' },
  storage_full: { kind: 'storage-full', title: 'The disk of the service is full' },
  timeout: { kind: 'timeout', title: 'The request took too long' },
  internal: { kind: 'internal', title: 'Something went wrong inside the service' },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof CATALOGUE;

/** A refusal of the service: a code of the catalogue, a sentence for a person (what happened, to what, what to do), and the case's own data. */
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

/** Refuses: throws the DomainError, so that rules read `if (…) refuse('document_archived', …)`. */
export function refuse(code: ErrorCode, message: string, details?: Record<string, unknown>): never {
  throw new DomainError(code, message, details);
}

/** The refusal for a record that is not there; `what` in the words of the specification. */
export function notFound(what: string, id: string): DomainError {
  return new DomainError('not_found', `There is no ${what} ${id.trim() ? id : JSON.stringify(id)}.`, { what, id });
}
