/** The column name of a property: `createdAtMs` becomes `created_at_ms`. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An index of a table, with the query it serves. */
export interface IndexRow<Property extends string = string> {
  readonly unique: boolean;
  /** Whether the table is stored in this order and identified by it. Such a table has no `id`. */
  readonly primary?: true;
  /** What this index speeds up or forbids, as a phrase for the schema's documentation. */
  readonly serves: string;
  readonly properties: readonly [Property, ...Property[]];
}

/** Declares an index and the query it serves. */
export function index<Property extends string>(
  serves: string,
  ...properties: [Property, ...Property[]]
): IndexRow<Property> {
  return { unique: false, serves, properties };
}

/** Declares a unique index, and why it exists. */
export function unique<Property extends string>(
  serves: string,
  ...properties: [Property, ...Property[]]
): IndexRow<Property> {
  return { unique: true, serves, properties };
}

/** Declares the storage order of a table without an `id`, and the reason for it. */
export function primary<Property extends string>(
  serves: string,
  ...properties: [Property, ...Property[]]
): IndexRow<Property> {
  return { unique: true, primary: true, serves, properties };
}

/** The name an index has in both databases, and in `DuplicateKeyError.constraint`. */
export function indexName(tableName: string, row: IndexRow): string {
  return [tableName, ...row.properties.map(snakeCase), row.unique ? 'unique' : 'index'].join('_');
}

const rowsByTable = new WeakMap<object, readonly IndexRow[]>();

/** Records the indexes of a table's definition. */
export function recordIndexRows(table: object, rows: readonly IndexRow[]): void {
  rowsByTable.set(table, rows);
}

/** The indexes of a table's definition. */
export function tableIndexRows(table: object): readonly IndexRow[] {
  return rowsByTable.get(table) ?? [];
}
