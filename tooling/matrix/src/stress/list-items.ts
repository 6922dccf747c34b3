import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { z } from 'zod';
import { readJson, runVitest } from '../run-vitest.js';
import { type Item, itemsOf, listedFile } from './items.js';

/** The items that this machine can run, and those that it would run with more programs. */
export interface ItemList {
  readonly items: readonly Item[];
  readonly leftOut: readonly Item[];
}

/**
 * Asks vitest which files it would run at full size, with what this machine has and with everything.
 * @throws Error with what vitest printed if it cannot list them
 */
export async function listItems(env: NodeJS.ProcessEnv, folder: string): Promise<ItemList> {
  mkdirSync(folder, { recursive: true });
  const items = itemsOf(await listFiles(env, folder));
  const names = new Set(items.map(({ name }) => name));
  const all = itemsOf(await listFiles({ ...env, GATEHOUSE_LIST_ALL: '1' }, folder));
  return { items, leftOut: all.filter(({ name }) => !names.has(name)) };
}

async function listFiles(env: NodeJS.ProcessEnv, folder: string) {
  const file = join(folder, 'files.json');
  const log = join(folder, 'files.log');
  const words = ['list', '--filesOnly', `--json=${file}`];
  const code = await runVitest(words, { env: { ...env, GATEHOUSE_STRESS: '1' }, log });
  if (code !== 0) throw new Error(`vitest cannot list the tests:\n${readFileSync(log, 'utf8')}`);
  return z
    .array(listedFile)
    .parse(readJson(file))
    .map((listed) => ({ ...listed, file: relative(process.cwd(), listed.file) }));
}
