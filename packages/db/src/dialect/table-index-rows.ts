import type { IndexRow } from './index-row.js';

const rowsByTable = new WeakMap<object, readonly IndexRow[]>();

/** Records the indexes of a table's definition. */
export function recordIndexRows(table: object, rows: readonly IndexRow[]): void {
  rowsByTable.set(table, rows);
}

/** The indexes of a table's definition. */
export function tableIndexRows(table: object): readonly IndexRow[] {
  return rowsByTable.get(table) ?? [];
}
