import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { explainUnavailable } from '@gatehouse/db/explain-unavailable';
import { isImportUnfinished } from '@gatehouse/db/queries/unfinished-import';
import type { Logger } from '@gatehouse/runtime/log/log';

/** A problem that prevents the start and that only the operator can fix, in one sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The sentence for an error of `listen`; undefined for other errors. */
export function explainListen(
  error: unknown,
  { name, host, port, variables }: { name: string; host: string; port: number; variables: [string, string] },
): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const [portVariable, hostVariable] = variables;
  switch (code) {
    case 'EADDRINUSE':
      return `${name} cannot have port ${port} at ${host}: something listens there. Stop it, or set ${portVariable}.`;
    case 'EACCES':
      return `${name} may not listen on port ${port}: set ${portVariable} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${name} cannot listen at ${host}: it is no address of this machine. Correct ${hostVariable}.`;
    default:
      return undefined;
  }
}

/** What a starting service needs of its database. */
type StartingDatabase = Pick<Database, 'pendingMigrations' | 'select' | 'tables'>;

const ASK_EVERY_MS = 1_000;

/** The pause before the same line is logged again. */
const LINE_EVERY_MS = 60_000;

/**
 * Resolves to true once the database answers and has every migration, and to false on a stop. It waits for
 * problems that can end by themselves, and logs a line at once and then every minute.
 * @throws StartError when the database denies access, or an import into it was not finished, which waiting does not change
 */
export async function untilReady(
  db: StartingDatabase,
  options: { log: Pick<Logger, 'warning'>; url: string; signal: AbortSignal; askEveryMs?: number },
): Promise<boolean> {
  const { log, url, signal, askEveryMs = ASK_EVERY_MS } = options;
  let last: { detail: string; atMs: number } | undefined;
  while (!signal.aborted) {
    const detail = await findObstacle(db, url);
    // It may have been stopped meanwhile.
    if (detail === undefined) return !signal.aborted;
    if (last?.detail !== detail || performance.now() - last.atMs >= LINE_EVERY_MS) {
      last = { detail, atMs: performance.now() };
      log.warning('not.ready', { detail });
    }
    await pause(askEveryMs, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

async function findObstacle(db: StartingDatabase, url: string): Promise<string | undefined> {
  try {
    const { length } = await db.pendingMigrations();
    if (length > 0) return explainPending(length);
    if (await isImportUnfinished(db)) throw new StartError(UNFINISHED_IMPORT);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const sentence = explainUnavailable(error, url);
    if (error.reason === 'denied') throw new StartError(sentence, { cause: error });
    return sentence;
  }
}

/** The message about a database into which an export was only partly imported. */
export const UNFINISHED_IMPORT =
  'An import into this database goes on, or was stopped: wait for its end, or import into a new database and name that one in DATABASE_URL.';

/** The message about missing migrations. */
export function explainPending(count: number): string {
  return count === 1
    ? '1 migration is pending: run gatehouse migrate.'
    : `${count} migrations are pending: run gatehouse migrate.`;
}
