import { BULK_ACTIONS, type BulkRun } from './bulk-run.js';

/** Each of those who use this browser has their own. Ids are kept, but no names or addresses. */
const keyOf = (ownerId: number) => `gatehouse.bulk.${ownerId}`;

/** The run that was begun in this browser and not put away; undefined without one. */
export function readKeptRun(ownerId: number): BulkRun | undefined {
  const kept: unknown = JSON.parse(localStorage.getItem(keyOf(ownerId)) ?? 'null');
  return isRun(kept) ? kept : undefined;
}

/** @throws {DOMException} where the browser keeps nothing: a run that cannot be kept must not begin */
export function keepRun(ownerId: number, run: BulkRun | undefined): void {
  if (run === undefined) localStorage.removeItem(keyOf(ownerId));
  else localStorage.setItem(keyOf(ownerId), JSON.stringify(run));
}

/** Calls the listener when another tab has changed what is kept. */
export function watchKeptRun(ownerId: number, listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key === keyOf(ownerId)) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Only this code writes it; an older release may have written another shape. */
function isRun(kept: unknown): kept is BulkRun {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'action' in kept &&
    BULK_ACTIONS.some((action) => action === kept.action) &&
    'items' in kept &&
    Array.isArray(kept.items)
  );
}
