/** Goes to another document. It never resolves: nothing on the one that is left should look finished. */
export function leaveTo(path: string): Promise<never> {
  location.assign(path);
  return new Promise<never>(() => undefined);
}
