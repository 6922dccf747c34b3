import { readFileSync } from 'node:fs';
import { connect, isIP, type Socket } from 'node:net';
import type { ConnectionOptions, SslOptions } from 'mysql2';

const MODES = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'];

const FILES = ['ssl-ca', 'ssl-cert', 'ssl-key'] as const;

/** Parameters of other drivers. The driver would ignore them, and send the password in the clear. */
const FOREIGN = /^(?:use|require|force|enable)?[-_]?(?:ssl|tls)/i;

/** Where and how to connect, for the driver. */
interface MysqlConnectionOptions extends ConnectionOptions {
  stream(options: { config: SocketAddress }): Socket;
}

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly socketPath?: string | undefined;
}

/**
 * Reads a `mysql://` URL. `ssl-mode` and `ssl-ca`, `ssl-cert`, `ssl-key` (paths of PEM files) are those of MySQL's own clients:
 * `REQUIRED` encrypts, `VERIFY_CA` also checks who signed the server's certificate, `VERIFY_IDENTITY` also whose it is.
 * @throws TypeError for another parameter about TLS, one that is there twice, or a file that cannot be read; the message names the parameter
 */
export function mysqlConnectionOptions(url: string): MysqlConnectionOptions {
  const bare = new URL(url);
  const twice = ['ssl-mode', ...FILES].find((name) => bare.searchParams.getAll(name).length > 1);
  if (twice !== undefined) throw new TypeError(`${twice} is there twice`);
  const mode = bare.searchParams.get('ssl-mode')?.toUpperCase();
  const [ca, cert, key] = FILES.map((name) => readPem(name, bare.searchParams.get(name)));
  for (const name of ['ssl-mode', ...FILES]) bare.searchParams.delete(name);
  requireKnown([...bare.searchParams], mode, ca ?? cert ?? key);
  const options: MysqlConnectionOptions = { uri: bare.href, stream: ({ config }) => openSocket(config) };
  if (mode === undefined || mode === 'DISABLED') return options;
  const verifyIdentity = mode === 'VERIFY_IDENTITY';
  const ssl: SslOptions = {
    // As MySQL's own clients do, which check a certificate as soon as they know an authority.
    rejectUnauthorized: mode !== 'REQUIRED' || ca !== undefined,
    verifyIdentity,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const host = bare.hostname.replace(/^\[|\]$/g, '');
  // The driver checks the certificate of an IP address for the name localhost, unless the address looks like a name.
  return { ...options, ssl, ...(verifyIdentity && isIP(host) !== 0 ? { host: `${host}.` } : {}) };
}

function requireKnown(
  others: readonly (readonly [string, string])[],
  mode: string | undefined,
  file: string | undefined,
): void {
  const foreign = others.find(
    ([name, value]) => FOREIGN.test(name) && !(name === 'ssl' && /^\{|^A/.test(value)),
  );
  if (foreign !== undefined)
    throw new TypeError(`${foreign[0]} is not known: write ssl-mode=REQUIRED, VERIFY_CA or VERIFY_IDENTITY`);
  if (mode !== undefined && !MODES.includes(mode))
    throw new TypeError(`ssl-mode is ${MODES.slice(0, -1).join(', ')} or ${MODES.at(-1)}`);
  if (file !== undefined && (mode === undefined || mode === 'DISABLED'))
    throw new TypeError('ssl-ca, ssl-cert and ssl-key need ssl-mode=REQUIRED, VERIFY_CA or VERIFY_IDENTITY');
}

function readPem(name: string, path: string | null): string | undefined {
  if (path === null) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TypeError(`${name} names no file that can be read`, { cause: error });
  }
}

const KEEP_ALIVE_MS = 10_000;

function openSocket({ host, port, socketPath }: SocketAddress): Socket {
  if (socketPath !== undefined) return connect(socketPath);
  const address = host.replace(/\.$/, '');
  return connect({
    host: isIP(address) === 0 ? host : address,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
}

const OF_INTEREST = ['transaction_isolation', 'wsrep_on', 'idle_transaction_timeout'];

const OF_IDENTITY = ['hostname', 'port', 'server_id', 'server_uuid', 'datadir'];

/** The identity and variables of a server. */
interface ServerVariables {
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
