/** The server's own facts, read in one of our sessions. */
export interface ServerFacts {
  readonly dialect: 'libsql' | 'mysql';
  /** Such as `10.11.6-MariaDB` or `8.0.36`; SQLite's version for the embedded database. */
  readonly version: string;
  /** The server's clock, in epoch milliseconds. The embedded database uses ours. */
  readonly nowMs: number | undefined;
  /** Server variables by name. Empty for the embedded database. */
  readonly variables: ReadonlyMap<string, string>;
}
