import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-error.js';
import {
  EXPORT_VERSION,
  type ExportManifest,
  exportManifest,
  fileOf,
  MANIFEST,
  schemaOf,
} from './export-manifest.js';
import { TABLE_PLANS, type TableName } from './table-plans.js';

/** The longest line: a text of 16 MiB in which JSON escapes every byte. */
const MAX_LINE_BYTES = 128 * 1024 * 1024;

const LF = 0x0a;

/**
 * The manifest of an export, whose file names are those that this release knows.
 * @throws {CommandError} if there is none, or it is of another format or release
 */
export async function readManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (!isAbsent) throw cause;
    const advice = 'either it holds no export, or one that is not whole: run gatehouse export again';
    throw new CommandError(`There is no ${MANIFEST} in ${folder}: ${advice}.`, { cause });
  });
  const { data: manifest } = exportManifest.safeParse(parsed(text));
  if (manifest === undefined) throw new CommandError(`${path} is not the manifest of an export.`);
  if (manifest.version !== EXPORT_VERSION || manifest.schema !== schemaOf())
    throw new CommandError(
      'The export was made by another release: import it with that one into an empty database, then migrate that database.',
    );
  const known = [...TABLE_PLANS.keys()].map(fileOf);
  const named = Object.keys(manifest.files);
  const stranger = named.find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new CommandError(`${path} names a file that no export has: ${JSON.stringify(stranger)}.`);
  const missing = known.find((name) => !named.includes(name));
  if (missing !== undefined) throw new CommandError(`${path} does not name ${missing}.`);
  return manifest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads all files, and compares them with the manifest.
 * @throws {CommandError} for the first one that differs
 */
export async function verifyFiles(
  folder: string,
  { files }: ExportManifest,
  advance: (bytes: number) => void,
): Promise<void> {
  for (const [name, expected] of Object.entries(files)) {
    const hash = createHash('sha256');
    let [rows, bytes] = [0, 0];
    for await (const chunk of readChunks(folder, name)) {
      hash.update(chunk);
      bytes += chunk.length;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) rows += 1;
      advance(chunk.length);
    }
    if (bytes !== expected.bytes || rows !== expected.rows || hash.digest('hex') !== expected.sha256)
      throw new CommandError(
        `${join(folder, name)} is not as the manifest says: it was changed or damaged. It has ${rows} lines of ${bytes} bytes, and had ${expected.rows} of ${expected.bytes}.`,
      );
  }
}

/**
 * The lines of a table's file, as they arrive.
 * @throws {CommandError} at its end, if it does not match the manifest: it was changed after it was verified
 */
export async function* readTableLines(
  folder: string,
  { files }: Pick<ExportManifest, 'files'>,
  table: TableName,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of readChunks(folder, fileOf(table))) {
    hash.update(chunk);
    let start = 0;
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, at)]).toString('utf8');
      [parts, length, start] = [[], 0, at + 1];
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES) throw new CommandError(`${fileOf(table)} has a line of more than 128 MiB.`);
  }
  if (length > 0) throw new CommandError(`${fileOf(table)} ends within a line.`);
  if (hash.digest('hex') !== files[fileOf(table)]?.sha256)
    throw new CommandError(
      `${join(folder, fileOf(table))} was changed after it was checked. Begin again with a new database.`,
    );
}

/** The bytes of a file in the folder itself. A link in its place is refused. */
async function* readChunks(folder: string, name: string): AsyncGenerator<Buffer> {
  const path = join(folder, name);
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    const isLink = cause instanceof Error && 'code' in cause && cause.code === 'ELOOP';
    throw isLink ? new CommandError(`${path} is a link and no file.`, { cause }) : cause;
  });
  for await (const chunk of file.createReadStream()) if (Buffer.isBuffer(chunk)) yield chunk;
}
