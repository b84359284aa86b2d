/** Hears of a job from inside the engine; `progress` also writes the time of the step into the job's log. */
export type Report = { log(line: string): void; progress(percent: number, step: string): void };
