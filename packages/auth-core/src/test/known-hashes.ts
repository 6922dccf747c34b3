/** Results of bcrypt in this worker, by input. */
export const known = new Map<string, Promise<unknown>>();
