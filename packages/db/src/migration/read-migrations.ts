import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Dialect } from '../database.js';
import type { Migration } from './migration.js';

/** The same folder seen from `src/migration` and from `dist/migration`. */
const FOLDER = new URL('../../migrations/', import.meta.url);
const BREAKPOINT = '--> statement-breakpoint';

/** The migrations of a dialect, oldest first. */
export async function readMigrations(dialect: Dialect): Promise<Migration[]> {
  const folder = new URL(`${dialect}/`, FOLDER);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, folder), 'utf8');
      return {
        name: file.slice(0, -'.sql'.length),
        sha256: createHash('sha256').update(text).digest('hex'),
        statements: text
          .split(BREAKPOINT)
          .map((statement) => statement.trim())
          .filter((statement) => statement !== ''),
      };
    }),
  );
}
