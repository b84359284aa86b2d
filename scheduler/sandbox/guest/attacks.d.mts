/** The names of the hostile programs. */
export const names: string[];
