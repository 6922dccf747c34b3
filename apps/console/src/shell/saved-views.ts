import { type Filters, readFilters } from './member-filters.js';

/** A saved view: filters under a name. */
export interface SavedView {
  readonly name: string;
  readonly filters: Filters;
}

/** Each user of this browser has their own. */
const keyOf = (ownerId: number) => `gatehouse.views.${ownerId}`;

/** The views that were saved in this browser. */
export function readViews(ownerId: number): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(ownerId)) ?? '[]');
    return Array.isArray(kept) ? kept.flatMap(viewIn) : [];
  } catch {
    // Storage can be forbidden, or hold foreign values.
    return [];
  }
}

/** Without storage they last as long as the screen. */
export function keepViews(ownerId: number, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(keyOf(ownerId), JSON.stringify(views));
  } catch {
    // Storage can be forbidden, or full.
  }
}

function viewIn(kept: unknown): SavedView[] {
  if (typeof kept !== 'object' || kept === null || !('name' in kept) || !('filters' in kept)) return [];
  const { name, filters } = kept;
  if (typeof name !== 'string' || typeof filters !== 'object' || filters === null) return [];
  return [{ name, filters: readFilters({ ...filters }) }];
}
