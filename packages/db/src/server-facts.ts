/** What a database server says of itself, in a session of ours. */
export interface ServerFacts {
  readonly dialect: 'libsql' | 'mysql';
  /** As `10.11.6-MariaDB` or `8.0.36`; of the embedded database, SQLite's. */
  readonly version: string;
  /** Its clock, in epoch milliseconds; the embedded database has ours. */
  readonly nowMs: number | undefined;
  /** Variables of the server by name; none of the embedded database. */
  readonly variables: ReadonlyMap<string, string>;
}
