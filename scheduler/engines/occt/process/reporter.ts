/** Receives log lines and progress of a job; `progress` also logs the duration of the step. */
export type Reporter = { log(line: string): void; progress(percent: number, step: string): void };
