/** The part of the Web Locks API that is used here. */
interface PageLocks {
  request(
    name: string,
    options: { ifAvailable: true },
    work: (lock: object | null) => Promise<void>,
  ): Promise<void>;
}

/** The locks that the tabs of an origin share; undefined where there are none. */
export function pageLocks(): PageLocks | undefined {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  if (typeof navigator !== 'object' || navigator === null || !('locks' in navigator)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Web Locks API defines what `navigator.locks` is.
  return navigator.locks as PageLocks | undefined;
}
