/**
 * Goes to another document. It never resolves: nothing on the one that is left should look finished.
 * @param forGood whether Back must not lead here again
 */
export function leaveTo(path: string, { forGood = false } = {}): Promise<never> {
  if (forGood) location.replace(path);
  else location.assign(path);
  return new Promise<never>(() => undefined);
}
