import { createHash, randomBytes } from 'node:crypto';
import { link, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writingTo } from './writing-to.js';

/** A file that was written. */
export interface WrittenFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes a file that does not exist yet, for this user alone, and waits until it is on the disk. */
export async function writeNewFile(path: string, portions: AsyncIterable<string>): Promise<WrittenFile> {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const portion of portions) {
      const content = Buffer.from(portion, 'utf8');
      await file.writeFile(content);
      hash.update(content);
      bytes += content.length;
    }
    await file.sync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/**
 * The same for a file that gets its name when it is complete. What a killed run left of it is removed.
 * @throws {CommandError} if there is one with this name, or it cannot be written
 */
export async function writeWholeFile(path: string, portions: AsyncIterable<string>): Promise<WrittenFile> {
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  return writingTo(path, async () => {
    for (const left of await readdir(dirname(path)))
      if (isPartOf(basename(path), left)) await rm(join(dirname(path), left), { force: true });
    try {
      const written = await writeNewFile(part, portions);
      // Unlike a rename, a link never replaces a file.
      await link(part, path);
      return written;
    } finally {
      await rm(part, { force: true });
    }
  });
}

const PART = /^\.[0-9a-f]{12}\.part$/;

const isPartOf = (name: string, other: string): boolean =>
  other.startsWith(name) && PART.test(other.slice(name.length));
