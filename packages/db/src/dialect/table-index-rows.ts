import type { IndexRow } from './index-row.js';

const rowsByTable = new WeakMap<object, readonly IndexRow[]>();

/** Remembers with which indexes a table was defined. */
export function recordIndexRows(table: object, rows: readonly IndexRow[]): void {
  rowsByTable.set(table, rows);
}

/** The indexes a table was defined with. */
export function tableIndexRows(table: object): readonly IndexRow[] {
  return rowsByTable.get(table) ?? [];
}
