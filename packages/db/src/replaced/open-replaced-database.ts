import { type Connection, createConnection, escapeId, type RowDataPacket } from 'mysql2/promise';
import { DatabaseUnavailableError } from '../database-errors.js';
import { describeMysqlError } from '../dialect/mysql/describe-mysql-error.js';
import { mysqlConnectionOptions } from '../dialect/mysql/mysql-connection-options.js';
import { explainUnavailable } from '../explain-unavailable.js';

/** A value of the replaced system: times as text in UTC, JSON as text, bits as numbers. */
export type ReplacedValue = string | number | null;

/** A row, by the names of the requested columns. */
export type ReplacedRow = Readonly<Record<string, ReplacedValue>>;

/** What a column of the replaced system accepts. */
export interface ReplacedColumn {
  /** Its type, as the server names it: `datetime`. */
  readonly type: string;
  /** Its whole type: `int(10) unsigned`, `enum('a','b')`. */
  readonly definition: string;
  readonly isNullable: boolean;
  /** Whether a new row needs no value for it. */
  readonly isFilled: boolean;
  /** Its default as text, where that is a constant. */
  readonly default: string | undefined;
  /** Whether the server computes it, so that nothing can be written to it. */
  readonly isComputed: boolean;
  /** Of a column of text: its character set, collation and capacity. */
  readonly characterSet: string | null;
  readonly collation: string | null;
  readonly maxCharacters: number | null;
  readonly maxBytes: number | null;
  /** Of a column of numbers: its digits, and those after the point. */
  readonly precision: number | null;
  readonly scale: number | null;
}

/** A table of the replaced system. */
export interface ReplacedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly details: Readonly<Record<string, ReplacedColumn>>;
  /** The columns of each unique index, the primary key among them. */
  readonly uniques: readonly (readonly string[])[];
  /** The columns of the primary key, in its order; empty without one. */
  readonly key: readonly string[];
  /** The columns with which an index begins. */
  readonly indexed: readonly string[];
}

/** A part of a table, in the order of a key. */
export interface ReplacedPage {
  readonly table: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** The key of the last row before it; undefined for the first part. */
  readonly after?: readonly ReplacedValue[] | undefined;
  readonly limit: number;
}

/** Rows by the values of columns. */
export interface ReplacedMatch {
  readonly table: string;
  readonly columns: readonly string[];
  /** The values of each column; rows match in all. */
  readonly match: Readonly<Record<string, readonly ReplacedValue[]>>;
}

/** The database of the replaced system, which is only read. */
export interface ReplacedDatabase {
  listTables(): Promise<ReplacedTable[]>;
  countRows(table: string): Promise<number>;
  readPage(page: ReplacedPage): Promise<ReplacedRow[]>;
  readMatching(match: ReplacedMatch): Promise<ReplacedRow[]>;
  /** The texts as a character set stores them, with `?` for characters that it lacks, and their size in bytes. */
  convert(texts: readonly string[], characterSet: string): Promise<ConvertedText[]>;
  /** Keys that are equal for texts that a column treats as equal. */
  sortKeys(texts: readonly string[], column: ReplacedColumn): Promise<string[]>;
  /** The rights of the user beyond reading, as the server writes them. */
  listWritingGrants(): Promise<string[]>;
  close(): Promise<void>;
}

/** A text in another character set. */
export interface ConvertedText {
  readonly text: string;
  readonly bytes: number;
}

/** The replaced system's database cannot be read; the message says to an operator what to do. */
export class ReplacedDatabaseError extends Error {
  override readonly name = 'ReplacedDatabaseError';
}

const STATEMENT_MS = 120_000;

/**
 * Connects to the MySQL or MariaDB database of a `mysql://` URL, in sessions that the server lets read only.
 * @param called where the operator wrote the URL, for messages
 * @throws {ReplacedDatabaseError} if it cannot be reached, like every later call
 */
export async function openReplacedDatabase(url: string, called: string): Promise<ReplacedDatabase> {
  const explained = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await work();
    } catch (cause) {
      throw explain(cause, url, called);
    }
  };
  const connection = await explained(() => connect(url));
  const ask = <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    explained(async () => {
      const [rows] = await connection.query<(Row & RowDataPacket)[]>({
        sql,
        values: [...values],
        timeout: STATEMENT_MS,
      });
      return rows;
    });
  return {
    async listTables() {
      const columns = await ask<ColumnRow>(
        `select c.table_name name, c.column_name col, c.data_type type, c.column_type definition, c.is_nullable nullable,
         c.column_default \`default\`, c.extra extra, c.character_set_name characterSet, c.collation_name collation,
         c.character_maximum_length maxCharacters, c.character_octet_length maxBytes,
         c.numeric_precision \`precision\`, c.numeric_scale scale from information_schema.columns c
         join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
         where c.table_schema = database() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
      );
      const indexes = await ask<{ name: string; idx: string; col: string; place: number; many: number }>(
        `select table_name name, index_name idx, column_name col, seq_in_index place, non_unique many
         from information_schema.statistics where table_schema = database() order by table_name, index_name, seq_in_index`,
      );
      return [...new Set(columns.map(({ name }) => name))].map((name) => {
        const own = indexes.filter((row) => row.name === name);
        const ofTable = columns.filter((row) => row.name === name);
        return {
          name,
          columns: ofTable.map(({ col }) => col),
          details: Object.fromEntries(ofTable.map((row) => [row.col, columnOf(row)])),
          uniques: [...new Set(own.filter(({ many }) => Number(many) === 0).map(({ idx }) => idx))].map(
            (index) => own.filter(({ idx }) => idx === index).map(({ col }) => col),
          ),
          key: own.filter(({ idx }) => idx === 'PRIMARY').map(({ col }) => col),
          indexed: own.filter(({ place }) => place === 1).map(({ col }) => col),
        };
      });
    },
    async countRows(table) {
      const [row] = await ask<{ rows: number }>(`select count(*) \`rows\` from ${escapeId(table)}`);
      return row?.rows ?? 0;
    },
    async readPage({ table, columns, key, after, limit }) {
      const names = listOf([...new Set([...key, ...columns])]);
      const where = after === undefined ? '' : ` where ${laterThan(key)}`;
      const values = after === undefined ? [] : laterValues(after);
      const rows = await ask<Record<string, unknown>>(
        `select ${names} from ${escapeId(table)}${where} order by ${listOf(key)} limit ?`,
        [...values, limit],
      );
      return rows.map(readable);
    },
    async readMatching({ table, columns, match }) {
      const entries = Object.entries(match);
      if (entries.some(([, values]) => values.length === 0)) return [];
      const where = entries.map(([column]) => `${escapeId(column)} in (?)`).join(' and ');
      const rows = await ask<Record<string, unknown>>(
        `select distinct ${listOf(columns)} from ${escapeId(table)} where ${where}`,
        entries.map(([, values]) => values),
      );
      return rows.map(readable);
    },
    async convert(texts, characterSet) {
      if (texts.length === 0) return [];
      const set = escapeId(characterSet, true);
      const row = `select ? place, convert(convert(? using ${set}) using utf8mb4) text, length(convert(? using ${set})) bytes`;
      const rows = await ask<ConvertedText & { place: number }>(
        texts.map(() => row).join(' union all '),
        texts.flatMap((text, place) => [place, text, text]),
      );
      return inPlaces(rows);
    },
    async sortKeys(texts, { characterSet, collation }) {
      if (characterSet === null || collation === null) return [...texts];
      if (texts.length === 0) return [];
      const row = `select ? place, hex(weight_string(convert(? using ${escapeId(characterSet, true)}) collate ${escapeId(collation, true)})) sortKey`;
      const rows = await ask<{ place: number; sortKey: string }>(
        texts.map(() => row).join(' union all '),
        // Most collations ignore blanks at the end.
        texts.flatMap((text, place) => [place, text.trimEnd()]),
      );
      return inPlaces(rows).map(({ sortKey }) => sortKey);
    },
    async listWritingGrants() {
      const rows = await ask<Record<string, string>>('show grants');
      return rows.flatMap((row) => Object.values(row)).filter(mayWrite);
    },
    async close() {
      await connection.end();
    },
  };
}

interface ColumnRow extends Omit<ReplacedColumn, 'isNullable' | 'isFilled' | 'default' | 'isComputed'> {
  readonly name: string;
  readonly col: string;
  readonly nullable: string;
  readonly default: string | null;
  readonly extra: string;
}

function columnOf({
  name: _name,
  col: _col,
  nullable,
  default: given,
  extra,
  ...row
}: ColumnRow): ReplacedColumn {
  const isNullable = nullable === 'YES';
  const isComputed = /^(?:virtual|stored|persistent)/i.test(extra);
  const hasDefault = given !== null || /auto_increment|default_generated/i.test(extra);
  return {
    ...row,
    isNullable,
    isComputed,
    isFilled: isNullable || isComputed || hasDefault,
    default: /default_generated/i.test(extra) ? undefined : constantIn(given),
  };
}

/** A constant default. MariaDB writes texts in quotes, and expressions without; MySQL writes texts without. */
function constantIn(given: string | null): string | undefined {
  if (given === null || given === 'NULL' || /\(|^current_timestamp/i.test(given)) return undefined;
  return /^'.*'$/s.test(given) ? given.slice(1, -1).replaceAll("''", "'") : given;
}

const inPlaces = <Row extends { readonly place: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => one.place - other.place);

async function connect(url: string): Promise<Connection> {
  const connection = await createConnection({
    ...mysqlConnectionOptions(url),
    timezone: 'Z',
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    connectTimeout: 10_000,
  });
  try {
    await connection.query("set session time_zone = '+00:00'");
    await connection.query('set session transaction read only');
    return connection;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

function explain(error: unknown, url: string, called: string): unknown {
  if (!(error instanceof Error)) return error;
  const described = describeMysqlError(error);
  const message =
    described instanceof DatabaseUnavailableError
      ? explainUnavailable(described, url, called)
      : `The database of ${called} refused to read: ${described.message}`;
  return new ReplacedDatabaseError(message, { cause: described });
}

function listOf(columns: readonly string[]): string {
  return columns.map((column) => escapeId(column)).join(', ');
}

/** The condition for rows after a key. Not a comparison of rows, for which MySQL would use no index. */
function laterThan([first = '', ...others]: readonly string[]): string {
  const name = escapeId(first);
  return others.length === 0 ? `${name} > ?` : `(${name} > ? or (${name} = ? and ${laterThan(others)}))`;
}

function laterValues([first = null, ...others]: readonly ReplacedValue[]): ReplacedValue[] {
  return others.length === 0 ? [first] : [first, first, ...laterValues(others)];
}

function readable(row: Record<string, unknown>): ReplacedRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, readableValue(value)]));
}

function readableValue(value: unknown): ReplacedValue {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value;
  // Of a bit, a single byte; of a binary text, its characters.
  if (Buffer.isBuffer(value)) return value.length === 1 ? value.readUInt8() : value.toString('utf8');
  return JSON.stringify(value);
}

const WRITING = /\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|SUPER|FILE|GRANT OPTION)\b/;

/** MariaDB opens its own database `test`, and those whose names begin with `test_`, to every user. */
const OF_MARIADB = / ON `test(?:\\_%)?`\.\* TO `?PUBLIC`?$/;

function mayWrite(grant: string): boolean {
  if (OF_MARIADB.test(grant)) return false;
  return WRITING.test(grant.split(/ (?:ON|IDENTIFIED) /)[0] ?? '') || grant.endsWith('WITH GRANT OPTION');
}
