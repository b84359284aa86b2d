/** The names of the hostile programs; each is run with its name as the first argument. */
export const names: string[];
