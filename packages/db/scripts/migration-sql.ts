import {
  type DrizzleMySQLSnapshotJSON,
  type DrizzleSQLiteSnapshotJSON,
  generateMySQLDrizzleJson,
  generateMySQLMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import { libsqlVocabulary } from '../src/dialect/libsql/vocabulary.js';
import { mysqlVocabulary } from '../src/dialect/mysql/vocabulary.js';
import { defineTables } from '../src/tables/define-tables.js';

/** The statements that lead from one snapshot of the tables to what the sources define now, and that new snapshot. */
export interface NextMigration {
  statements: string[];
  snapshot: object;
}

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';

/** How each dialect compares its tables with the newest snapshot (undefined: an empty database). */
export const nextMigration = {
  mysql: async (previous: DrizzleMySQLSnapshotJSON | undefined): Promise<NextMigration> => {
    const empty = await generateMySQLDrizzleJson({}, EMPTY_ID, 'snake_case');
    const from = previous ?? empty;
    const snapshot = await generateMySQLDrizzleJson(defineTables(mysqlVocabulary), from.id, 'snake_case');
    const statements = await generateMySQLMigration(from, snapshot);
    return { statements: statements.map(inBinaryCollation), snapshot };
  },
  libsql: async (previous: DrizzleSQLiteSnapshotJSON | undefined): Promise<NextMigration> => {
    const empty = await generateSQLiteDrizzleJson({}, EMPTY_ID, 'snake_case');
    const from = previous ?? empty;
    const snapshot = await generateSQLiteDrizzleJson(defineTables(libsqlVocabulary), from.id, 'snake_case');
    return { statements: await generateSQLiteMigration(from, snapshot), snapshot };
  },
};

/** Both databases compare text code point by code point; a column added later takes this from its table. */
function inBinaryCollation(statement: string): string {
  return statement.startsWith('CREATE TABLE')
    ? statement.replace(/\);\s*$/, ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;')
    : statement;
}
