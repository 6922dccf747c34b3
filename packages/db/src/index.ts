export { openDatabase } from './open-database.js';
export type { Database, DatabaseStatistics, Dialect, WriteStatement } from './database.js';
export { DatabaseUnavailableError, type UnavailableReason } from './database-unavailable-error.js';
export { DuplicateKeyError } from './duplicate-key-error.js';
export { UnstorableTextError } from './unstorable-text-error.js';
export { type OpenOptions, TRANSACTION_TIMEOUT_MS } from './open-options.js';
export type { MigrationReport } from './migration/migration-report.js';
export type { Tables } from './tables/define-tables.js';
