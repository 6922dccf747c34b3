import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('browser/', import.meta.url);

/** The scripts of the page, by name. Browsers load them as they stand, so what is served is what was written. */
export function readScripts(): ReadonlyMap<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]));
}
