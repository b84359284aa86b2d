/** Exit codes of `pdm`, the same for user and operator commands. With `--json`, errors carry the name as their code. */
export const EXIT = {
  success: 0,
  /** The service rejected the request, a job failed, or a check found errors in the stored data. */
  failure: 1,
  /** The command line is invalid. */
  usage: 2,
  /** The command could not run: the service is unreachable, a file is unreadable or exists, there is no store. */
  error: 3,
  /** The settings of the service are invalid. */
  settings: 78,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
} as const;

/** An error printed as a message without a stack trace, and the exit code it leads to. */
export class CliError extends Error {
  readonly exit: number;
  constructor(message: string, exit: number = EXIT.error) {
    super(message);
    this.exit = exit;
  }
}

/** An error response of the service (`application/problem+json`, RFC 9457). */
export type Problem = {
  status: number;
  code: string;
  detail: string;
  requestId?: string;
  errors?: { path: string; message: string }[];
};

/** The service rejected the request. */
export class ApiError extends CliError {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail, EXIT.failure);
    this.problem = problem;
  }
}
