import type { Dialect } from '@gatehouse/db';

/** With fewer nodes the database has nobody to be spared from. */
const MANY_NODES = 10;
const INTERVAL_OF_MANY_MS = 2;

/**
 * How far apart a busy node begins its reads of the change log. The embedded database is read in the process.
 * @param nodes how many there are
 * @param configuredMs replaces the interval that follows from their number
 */
export function readInterval(dialect: Dialect, nodes: number, configuredMs: number | undefined): number {
  if (dialect === 'libsql') return 0;
  return configuredMs ?? (nodes < MANY_NODES ? 0 : INTERVAL_OF_MANY_MS);
}
