import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncToDisk } from '@gatehouse/db/backup/backup-file';
import { CommandError } from '../command-error.js';
import { fileOf, MANIFEST } from './export-manifest.js';
import { TABLE_PLANS } from './table-plans.js';
import { type WrittenFile, writeNewFile } from './write-new-file.js';
import { writingTo } from './writing-to.js';

/** Says in the folder itself that its content is not complete. */
const UNFINISHED = 'UNFINISHED';

const NOTE = 'This export is not whole. Run gatehouse export --to this folder again: it begins anew.\n';

/** The file names of an export, for finished and unfinished files. */
const OWN = new Set([UNFINISHED, MANIFEST, ...[...TABLE_PLANS.keys()].map(fileOf)]);
const PART = /\.[0-9a-f]{12}\.part$/;

const isOwn = (name: string) => OWN.has(name.replace(PART, ''));

/** The folder of an export that is being written. */
export interface ExportFolder {
  /** Writes a file, which gets its name when it is complete and on the disk. */
  write(name: string, portions: AsyncIterable<string>): Promise<WrittenFile>;
  /** Writes the manifest, which makes the export complete. */
  finish(manifest: unknown): Promise<void>;
}

/**
 * Makes the folder, for this user alone. What a killed export left in it is removed.
 * @throws {CommandError} if it contains anything else, or cannot be written
 */
export async function openExportFolder(path: string): Promise<ExportFolder> {
  await writingTo(path, () => prepare(path));
  const run = randomBytes(6).toString('hex');
  const write: ExportFolder['write'] = (name, portions) =>
    writingTo(join(path, name), async () => {
      const part = join(path, `${name}.${run}.part`);
      const written = await writeNewFile(part, portions);
      await rename(part, join(path, name));
      return written;
    });
  return {
    write,
    async finish(manifest) {
      // By one rename, so that the folder is complete or says that it is not, at whatever moment a run is killed.
      await write(UNFINISHED, once(`${JSON.stringify(manifest, null, 2)}\n`));
      await writingTo(path, async () => {
        await rename(join(path, UNFINISHED), join(path, MANIFEST));
        await syncToDisk(path);
      });
    },
  };
}

async function prepare(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const names = await readdir(path);
  if (names.includes(MANIFEST))
    throw new CommandError(`${path} holds an export that is whole: name another folder.`);
  const stranger = names.find((name) => !isOwn(name));
  if (stranger !== undefined || (names.length > 0 && !names.includes(UNFINISHED)))
    throw new CommandError(
      `${path} holds something else (${stranger ?? names[0]}): name a folder that is empty or not there.`,
    );
  await chmod(path, 0o700);
  if (names.length === 0) await (await open(join(path, UNFINISHED), 'wx', 0o600)).close();
  await writingTo(join(path, UNFINISHED), () => writeNote(join(path, UNFINISHED)));
  for (const name of names) if (name !== UNFINISHED) await rm(join(path, name));
}

const { O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;

/** Replaces an existing file. A link would lead to a file outside the export. */
async function writeNote(path: string): Promise<void> {
  const note = await open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW);
  try {
    await note.writeFile(NOTE);
  } finally {
    await note.close();
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
