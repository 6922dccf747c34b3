import Connection from 'libsql/promise';

/** A connection whose long statements leave the event loop free, for the operator's commands. */
export interface QuietConnection {
  run(sql: string): Promise<void>;
  read(sql: string): Promise<unknown[][]>;
  close(): void;
}

interface Statement {
  raw(): { all(): Promise<unknown[][]> };
}

/** How long another process may keep the file locked. */
const BUSY_MS = 5_000;

/** Opens a file of the embedded database, of which nothing is changed. */
export function openFileQuietly(path: string): QuietConnection {
  const connection = new Connection(path, { timeout: BUSY_MS });
  return {
    run: async (sql) => {
      await connection.exec(sql);
    },
    read: async (sql) =>
      asStatement(await connection.prepare(sql))
        .raw()
        .all(),
    close: () => connection.close(),
  };
}

function asStatement(prepared: unknown): Statement {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package declares no types for these; a raw statement returns each row as an array
  return prepared as Statement;
}
