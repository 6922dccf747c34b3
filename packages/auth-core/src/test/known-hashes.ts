/** What bcrypt has worked out in this worker, by what it was asked. */
export const known = new Map<string, Promise<unknown>>();
