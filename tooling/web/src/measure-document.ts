import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file that a document loads, and its size when sent with gzip. */
export interface LoadedFile {
  readonly name: string;
  readonly bytes: number;
}

/** Scripts that are imported, preloaded or written in a document, and style sheets; fonts and pictures apart. */
const REFERENCE = /["'`(]([^"'`()\s]*\/)?([\w.-]+\.(?:js|css))["'`)]/g;

/** The same without what is loaded on demand. */
const AT_ONCE = /(?:from|import|src=|href=)\s*["'`]([^"'`()\s]*\/)?([\w.-]+\.(?:js|css))["'`]/g;

/** The files that a document of a build loads before anything is shown, and those that its first screen adds by name. */
export function measureFirstScreen(
  folder: string,
  document: string,
  isAdded: (name: string) => boolean,
): LoadedFile[] {
  const added = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js') && isAdded(name));
  return filesOf(folder, [document, ...added], AT_ONCE, () => false);
}

/**
 * The files that a document of a build may load at once: what it names, and what those import, language by language.
 * @param leaves out files that are loaded on demand
 */
export function measureDocument(
  folder: string,
  document: string,
  leaves: (name: string) => boolean = () => false,
): LoadedFile[] {
  return filesOf(folder, [document], REFERENCE, leaves);
}

function filesOf(
  folder: string,
  first: readonly string[],
  reference: RegExp,
  leaves: (name: string) => boolean,
): LoadedFile[] {
  const sizes = new Map<string, number>();
  const visit = (path: string, name: string): void => {
    if (sizes.has(name) || leaves(name)) return;
    const text = readFileSync(join(folder, path), 'utf8');
    sizes.set(name, gzipSync(text, { level: 9 }).length);
    for (const [, , found = ''] of text.matchAll(reference)) visit(`assets/${found}`, found);
  };
  for (const name of first) visit(name.endsWith('.html') ? name : `assets/${name}`, name);
  return [...sizes].map(([name, bytes]) => ({ name, bytes }));
}
