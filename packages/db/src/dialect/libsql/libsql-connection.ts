import Libsql from 'libsql';
import type { WriteResult } from '../driver.js';
import { bindable } from './bindable.js';
import { isBusy } from './describe-libsql-error.js';

const STATEMENTS_KEPT = 300;

/** One connection to the file. Every call blocks until SQLite has answered, and fails at once when the file is locked. */
export interface LibsqlConnection {
  read(sql: string, params: readonly unknown[]): unknown[][];
  write(sql: string, params: readonly unknown[]): WriteResult;
  /** Runs a statement that returns nothing. A failure does not affect the driver. */
  command(sql: string): void;
  close(): void;
}

/** Opens a connection; creates the file if there is none. Errors are the driver's own. */
export function openLibsqlConnection(path: string): LibsqlConnection {
  const connection = new Libsql(path, { timeout: 0 });
  const statements = new Map<string, ReturnType<typeof connection.prepare>>();

  const prepare = (sql: string) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    if (statement.reader) statement.raw(true);
    if (statements.size >= STATEMENTS_KEPT) {
      const [oldest] = statements.keys();
      if (oldest !== undefined) statements.delete(oldest);
    }
    statements.set(sql, statement);
    return statement;
  };

  const run = <Answer>(sql: string, answer: (statement: ReturnType<typeof prepare>) => Answer): Answer => {
    try {
      return answer(prepare(sql));
    } catch (error) {
      // A statement that found the file locked stays open in SQLite until it is run again. After other errors it
      // is not reused.
      if (!isBusy(error)) statements.delete(sql);
      throw error;
    }
  };

  return {
    read: (sql, params) => run(sql, (statement) => rowsAsArrays(statement.all(params.map(bindable)))),
    write: (sql, params) =>
      run(sql, (statement) => {
        const { changes, lastInsertRowid } = statement.run(params.map(bindable));
        return { rows: changes, insertId: Number(lastInsertRowid) };
      }),
    command: (sql) => {
      connection.exec(sql);
    },
    close: () => {
      statements.clear();
      connection.close();
    },
  };
}

function rowsAsArrays(rows: unknown[]): unknown[][] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every statement that returns rows was set to raw, which makes each row an array
  return rows as unknown[][];
}
