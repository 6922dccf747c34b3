/**
 * The fields of an object that a page kept as JSON. There are none where nothing was kept, or another release or somebody else
 * of this origin wrote something else.
 */
export function readKept(storage: Storage, key: string): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? 'null');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
