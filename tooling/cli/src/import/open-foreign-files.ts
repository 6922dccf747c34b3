import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { UnreadableTextError } from '@gatehouse/runtime/text/read-lines';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { operatorPath } from '../operator-audit.js';
import { createPlaceIndex } from './create-place-index.js';
import type { ForeignFields, ForeignFiles, ForeignReader, ForeignRow } from './foreign-line.js';
import { parseCsv, type Separator, separatorIn } from './parse-csv.js';
import { readRawRecords, textIn } from './read-bytes.js';
import { type CopyParser, readCopyRows } from './read-copy-rows.js';
import { readJsonArray } from './read-json-array.js';

/** The files of an import, and how many bytes of them have been read. */
export interface OpenedFiles {
  readonly files: ForeignFiles;
  readonly bytes: number;
  /** The bytes read since the last call. */
  takeRead(): number;
  /** Those that are left at the end: nobody reads what a dump has after the last table. */
  takeRest(): number;
  close(): Promise<void>;
}

/**
 * Finds the files that the operator named, as `users=path`, or by their own names. A single file may have any name.
 * @throws {CommandError} for one that the reader does not know, or that is not there
 */
export async function openForeignFiles(
  context: CommandContext,
  reader: Pick<ForeignReader, 'files'>,
  named: readonly string[],
): Promise<OpenedFiles> {
  const names = Object.keys(reader.files);
  const paths = new Map<string, string>();
  for (const each of named) {
    const [, given = '', path = ''] = /^([\w.-]+)=(.+)$/s.exec(each) ?? [];
    const own = path === '' ? each : path;
    const name = given || (named.length === 1 ? (names[0] ?? '') : basename(own, extname(own)));
    if (!names.includes(name))
      throw new CommandError(
        `${each} has none of the names ${names.join(', ')}: rename it, or write ${names[0]}=${each}.`,
      );
    if (paths.has(name)) throw new CommandError(`There are two files for ${name}.`);
    paths.set(name, own);
  }
  const [main = ''] = names;
  if (!paths.has(main)) throw new CommandError(`There is no file for ${main}: ${reader.files[main]}.`);
  let bytes = 0;
  for (const path of paths.values()) bytes += (await stat(operatorPath(context, path))).size;

  let read = 0;
  let left = bytes;
  const opened: FileHandle[] = [];
  /** How far each file has been read. */
  const furthest = new Map<string, number>();
  const counted = async function* (path: string): AsyncGenerator<Buffer> {
    let at = 0;
    const input: AsyncIterable<Buffer> = createReadStream(operatorPath(context, path));
    for await (const chunk of input) {
      at += chunk.length;
      const before = furthest.get(path) ?? 0;
      if (at > before) {
        read += at - before;
        furthest.set(path, at);
      }
      yield chunk;
    }
  };
  const pathOf = (name: string) => paths.get(name) ?? '';
  /** Reads texts of a file by their positions. */
  async function openPlaces(path: string): Promise<(place: Place) => Promise<string>> {
    const file = await open(operatorPath(context, path));
    opened.push(file);
    return async ({ offset, length }) => {
      const buffer = Buffer.alloc(length);
      await file.read(buffer, 0, length, offset);
      return withoutBreak(buffer);
    };
  }
  async function indexOf<Value>(
    path: string,
    { isQuoted, hasHeader, parse, keyOf, missing }: Indexed<Value>,
  ): Promise<(key: string) => Promise<Value[]>> {
    const places = createPlaceIndex();
    const records = withName(path, readRawRecords(counted(path), { isQuoted }));
    let isHeader = hasHeader;
    for await (const { offset, number, bytes: record, problem } of records) {
      if (problem !== undefined) throw new CommandError(`${path}, line ${number}: ${problem}.`);
      const text = withoutBreak(record);
      if (text.trim() === '') continue;
      const key = keyOf(parse(text));
      // Without it, a person would be imported without a password or a second factor.
      if (key === undefined && !isHeader) throw new CommandError(`${path}, line ${number}: ${missing}.`);
      isHeader = false;
      if (key !== undefined) places.add(key, { offset, length: record.length });
    }
    const read = await openPlaces(path);
    return async (key) => {
      const values: Value[] = [];
      for (const place of places.of(key)) {
        const value = parse(await read(place));
        if (keyOf(value) === key) values.push(value);
      }
      return values;
    };
  }
  const lines = (path: string) => withName(path, readJsonRows(path, counted(path)));
  const list = (path: string, field?: string) =>
    withName(path, readArrayRows(path, readJsonArray(counted(path), field)));
  const records = (path: string) => withName(path, readRawRecords(counted(path), { isQuoted: false }));
  return {
    bytes,
    takeRead() {
      const taken = read;
      read = 0;
      left -= taken;
      return taken;
    },
    takeRest() {
      const taken = Math.max(0, left);
      read = 0;
      left = 0;
      return taken;
    },
    async close() {
      for (const file of opened) await file.close();
    },
    files: {
      has: (name) => paths.has(name),
      isJson: async (name) => /^[[{]/.test(await beginningOf(operatorPath(context, pathOf(name)))),
      isDump: async (name) => DUMP.test(await beginningOf(operatorPath(context, pathOf(name)))),
      async *readDump(name, table) {
        const file = pathOf(name);
        let isThere = false;
        const begin = () => {
          isThere = true;
        };
        for await (const { number, fields, problem } of readCopyRows(records(file), table, begin))
          yield fields === undefined ? { file, number, problem } : { file, number, value: fields };
        if (!isThere)
          throw new CommandError(
            `${file} has no rows of ${table} as COPY writes them: dump it without --inserts.`,
          );
      },
      async indexDump(name, { table, column }) {
        const path = pathOf(name);
        const places = createPlaceIndex();
        let parse: CopyParser = () => undefined;
        const rows = readCopyRows(records(path), table, (parser) => {
          parse = parser;
        });
        for await (const { fields, number, problem, ...place } of rows) {
          if (problem !== undefined) throw new CommandError(`${path}, line ${number}: ${problem}.`);
          const key = fields?.[column];
          if (key !== undefined) places.add(key, place);
        }
        const read = await openPlaces(path);
        return async (key) => {
          const found: ForeignFields[] = [];
          for (const place of places.of(key)) {
            const value = parse(await read(place));
            if (value?.[column] === key) found.push(value);
          }
          return found;
        };
      },
      async *readJsonObjects(name) {
        const path = pathOf(name);
        const isList = (await beginningOf(operatorPath(context, path))).startsWith('[');
        yield* isList ? list(path) : lines(path);
      },
      indexJsonLines: (name, keyOf) =>
        indexOf(pathOf(name), {
          isQuoted: false,
          hasHeader: false,
          parse: parseJson,
          keyOf,
          missing: 'is no JSON object on a line of its own with the id of a person',
        }),
      async indexCsv(name, column) {
        const path = pathOf(name);
        const parse = createCsvParser(path);
        const find = await indexOf(path, {
          isQuoted: true,
          hasHeader: true,
          parse: (text) => parse(text)?.value,
          keyOf: (value) => value?.[column],
          missing: `has no ${column}, or another number of fields than the first line`,
        });
        return async (key) => (await find(key)).filter((each) => each !== undefined);
      },
      readJsonArray: (name, field) => list(pathOf(name), field),
      readCsv: (name) => withName(pathOf(name), readCsvRows(pathOf(name), counted(pathOf(name)))),
    },
  };
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The beginning of a dump in SQL. */
const DUMP = /^(?:--|SET |COPY |BEGIN|\\)/;

/** How records of a file are found again. */
interface Indexed<Value> {
  /** Whether line breaks may be between quotes. */
  readonly isQuoted: boolean;
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
  parse(text: string): Value;
  keyOf(value: Value): string | undefined;
  /** The sentence about a record without a key. */
  readonly missing: string;
}

/** The first characters of a file, without a byte order mark and blanks. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(1024);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF?\s*/, '');
  } finally {
    await file.close();
  }
}

const withoutBreak = (record: Buffer) => record.toString('utf8').replace(/^\uFEFF|\r$/g, '');

/** Names the file in errors that make it unreadable. */
async function* withName<Value>(path: string, rows: AsyncGenerator<Value>): AsyncGenerator<Value> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    throw new CommandError(`${path} ${error.message}.`, { cause: error });
  }
}

async function* readJsonRows(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<ForeignRow<unknown>> {
  for await (const { number, ...record } of readRawRecords(chunks, { isQuoted: false })) {
    const read = textIn(record);
    if ('problem' in read) {
      yield { file, number, problem: read.problem };
      continue;
    }
    if (read.text.trim() === '') continue;
    const value = parseJson(read.text);
    yield value === undefined ? { file, number, problem: 'is no JSON' } : { file, number, value };
  }
}

async function* readArrayRows(
  file: string,
  objects: ReturnType<typeof readJsonArray>,
): AsyncGenerator<ForeignRow<unknown>> {
  for await (const { number, ...record } of objects) {
    const read = textIn(record);
    const value = 'text' in read ? parseJson(read.text) : undefined;
    if (value !== undefined) yield { file, number, value };
    else yield { file, number, problem: 'problem' in read ? read.problem : 'is no JSON' };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* readCsvRows(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<ForeignRow<ForeignFields>> {
  const parse = createCsvParser(file);
  let isHeader = true;
  for await (const { number, ...record } of readRawRecords(chunks, { isQuoted: true })) {
    const read = textIn(record);
    // Otherwise another line would be mistaken for the names of the columns.
    if (isHeader && 'problem' in read) throw new CommandError(`${file}, line ${number}: ${read.problem}.`);
    const row = 'problem' in read ? read : parse(read.text);
    isHeader &&= 'text' in read && read.text.trim() === '';
    if (row !== undefined) yield { file, number, ...row };
  }
}

/** Reads the records of a CSV file one after the other. Undefined for the first, which names the columns, and for empty ones. */
function createCsvParser(
  file: string,
): (text: string) => Pick<ForeignRow<ForeignFields>, 'value' | 'problem'> | undefined {
  let header: { readonly columns: readonly string[]; readonly separator: Separator } | undefined;
  return (text) => {
    if (text.trim() === '') return undefined;
    if (header === undefined) {
      const separator = separatorIn(text);
      const columns = parseCsv(text, separator)?.map((column) => column.trim()) ?? [];
      if (new Set(columns).size !== columns.length)
        throw new CommandError(`${file} has a column twice in its first line.`);
      header = { columns, separator };
      return undefined;
    }
    const { columns, separator } = header;
    const fields = parseCsv(text, separator);
    if (fields === undefined) return { problem: 'has a quote where CSV has none' };
    if (fields.length !== columns.length)
      return { problem: `has ${fields.length} fields, and the first line names ${columns.length}` };
    return { value: fieldsOf(columns, fields) };
  };
}

function fieldsOf(columns: readonly string[], fields: readonly string[]): ForeignFields {
  return Object.fromEntries(
    columns.flatMap((column, at) => {
      const field = fields[at] ?? '';
      return field === '' ? [] : [[column, field]];
    }),
  );
}
