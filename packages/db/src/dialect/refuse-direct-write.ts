/** @throws Error when a built statement that is no select was awaited instead of handed to `write`. */
export function refuseDirectWrite(method: string): void {
  if (method !== 'all')
    throw new Error('a statement that changes rows runs only through write() of the database handle');
}
