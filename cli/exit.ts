/** How `pdm` ends, for scripts; the same for users' and operator's commands. */
export const EXIT = {
  /** Done as asked, or all is well. */
  good: 0,
  /** The service refused, a job failed, or something is wrong with what is stored. */
  refused: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** It could not be done or told: the service is not reachable, a file cannot be read, there is no store. */
  unable: 3,
  /** The settings of the service have faults. */
  settings: 78,
  /** Ended by Ctrl-C; what was under way was given up. */
  interrupted: 130,
} as const;

/** A sentence for whoever typed the command instead of a stack, and how `pdm` ends with it. */
export class Failure extends Error {
  readonly exit: number;
  constructor(message: string, exit: number = EXIT.unable) {
    super(message);
    this.exit = exit;
  }
}

/** A refusal in the words of the service (problem+json), with its code and data. */
export type Problem = {
  status: number;
  code: string;
  detail: string;
  requestId?: string;
  errors?: { path: string; message: string }[];
};

export class Refusal extends Failure {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail, EXIT.refused);
    this.problem = problem;
  }
}
