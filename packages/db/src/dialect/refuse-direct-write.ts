/** @throws Error if a built statement that is not a select was awaited instead of passed to `write`. */
export function refuseDirectWrite(method: string): void {
  if (method !== 'all')
    throw new Error('a statement that changes rows runs only through write() of the database handle');
}
