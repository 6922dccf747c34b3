const OF_INTEREST = ['transaction_isolation', 'wsrep_on', 'idle_transaction_timeout'];
const OF_IDENTITY = ['hostname', 'port', 'server_id', 'server_uuid', 'datadir'];

/** The identity and variables of a server. */
export interface ServerVariables {
  /**
   * Identifies a server among those behind one address. MySQL has an id for it; MariaDB is identified by the
   * other values.
   */
  readonly identity: string;
  /** Variables of sessions that only some servers have. */
  readonly session: ReadonlyMap<string, string>;
}

/** Reads the identity of a server and the variables its sessions can set. */
export async function readServerVariables(
  session: { read(sql: string, params: readonly unknown[], timeoutMs: number): Promise<unknown[][]> },
  timeoutMs: number,
): Promise<ServerVariables> {
  const names = [...OF_INTEREST, ...OF_IDENTITY].map((name) => `'${name}'`).join(', ');
  const rows = await session.read(`SHOW VARIABLES WHERE Variable_name IN (${names})`, [], timeoutMs);
  const all = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  return {
    identity: OF_IDENTITY.map((name) => all.get(name) ?? '').join(' '),
    session: new Map([...all].filter(([name]) => OF_INTEREST.includes(name))),
  };
}
