import {
  generateMySQLDrizzleJson,
  generateMySQLMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import { libsqlVocabulary } from '../src/dialect/libsql/libsql-vocabulary.js';
import { mysqlVocabulary } from '../src/dialect/mysql/mysql-vocabulary.js';
import { defineTables } from '../src/tables/define-tables.js';
import type { Snapshot } from './newest-snapshot.js';

/** The statements that lead from one snapshot of the tables to what the sources define now, and that new snapshot. */
export interface NextMigration {
  statements: string[];
  snapshot: Snapshot;
}

interface SnapshotTools {
  describe: (tables: Record<string, unknown>, previousId: string, casing: 'snake_case') => Promise<Snapshot>;
  compare: (previous: Snapshot, next: Snapshot) => Promise<string[]>;
  tables: Record<string, unknown>;
  finish: (statement: string) => string;
}

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';

const tools: Record<'mysql' | 'libsql', SnapshotTools> = {
  mysql: {
    describe: generateMySQLDrizzleJson,
    compare: generateMySQLMigration,
    tables: defineTables(mysqlVocabulary),
    finish: inBinaryCollation,
  },
  libsql: {
    describe: generateSQLiteDrizzleJson,
    compare: generateSQLiteMigration,
    tables: defineTables(libsqlVocabulary),
    finish: inKeyOrder,
  },
};

/** Compares the tables of the sources with the newest snapshot; without one, with an empty database. */
export async function nextMigration(
  dialect: 'mysql' | 'libsql',
  previous: Snapshot | undefined,
): Promise<NextMigration> {
  const { describe, compare, tables, finish } = tools[dialect];
  const from = previous ?? (await describe({}, EMPTY_ID, 'snake_case'));
  const snapshot = await describe(tables, from.id, 'snake_case');
  const statements = await compare(from, snapshot);
  return { statements: statements.map(finish), snapshot };
}

/** Both databases compare text code point by code point; a column added later takes this from its table. */
function inBinaryCollation(statement: string): string {
  return statement.startsWith('CREATE TABLE')
    ? statement.replace(/\);\s*$/, ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;')
    : statement;
}

/** A table with a key of several columns keeps its rows in the order of that key, as InnoDB does, and not a second time. */
function inKeyOrder(statement: string): string {
  return /^CREATE TABLE[\s\S]*^\s*PRIMARY KEY\(/m.test(statement)
    ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;')
    : statement;
}
