/** The table, column or index to create exists, or the one to drop is gone. */
const MADE_OR_GONE = new Set([1050, 1060, 1061, 1051, 1091]);

/** The table or column to rename is gone already. */
const RENAMED = new Set([1146, 1054]);

/** Whether MySQL refused a DDL statement because its effect is already present. */
export function effectExists(statement: string, error: unknown): boolean {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return false;
  if (!/^(create|alter|drop|rename)\b/i.test(statement)) return false;
  return MADE_OR_GONE.has(error.errno) || (/\brename\b/i.test(statement) && RENAMED.has(error.errno));
}
