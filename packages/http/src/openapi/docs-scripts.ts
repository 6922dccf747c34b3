import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('browser/', import.meta.url);

/** The scripts of the page, by name. Browsers load them as written, without a build. */
export function readScripts(): ReadonlyMap<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, FOLDER), 'utf8')]));
}
