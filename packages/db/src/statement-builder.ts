import type { MySqlRemoteDatabase } from 'drizzle-orm/mysql-proxy';

/** The statement-building part of the query builder, typed for MySQL. */
export type StatementBuilder = Pick<MySqlRemoteDatabase, 'select' | 'insert' | 'update' | 'delete'>;

/** Reads rows as arrays, in the order of the selected columns. */
export type ReadRows = (sql: string, params: readonly unknown[]) => Promise<unknown[][]>;
