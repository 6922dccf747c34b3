import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of a build, with its compressed forms. */
export interface WebFile {
  readonly contentType: string;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly isImmutable: boolean;
  readonly isDocument: boolean;
  readonly identity: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
};

type WebFiles = ReadonlyMap<string, WebFile>;

/** A build does not change while it is served. */
const known = new Map<string, WebFiles>();

/**
 * Reads the files of a build once in a process, by their names with slashes. Files of other kinds are left out.
 * @returns undefined where there is no such folder
 */
export function readWebFiles(folder: URL): WebFiles | undefined {
  const root = fileURLToPath(folder);
  if (!existsSync(root)) return undefined;
  const files = known.get(root) ?? readFolder(root);
  known.set(root, files);
  return files;
}

function readFolder(root: string): WebFiles {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.split(sep).join('/'),
  );
  const there = new Set(names);
  const read = (name: string) => (there.has(name) ? readFileSync(join(root, name)) : undefined);
  return new Map(
    names.flatMap((name) => {
      const contentType = TYPES[extensionOf(name)];
      const identity = contentType === undefined ? undefined : read(name);
      if (contentType === undefined || identity === undefined) return [];
      const file: WebFile = {
        contentType,
        etag: etagOf(identity),
        isImmutable: name.startsWith('assets/'),
        isDocument: name.endsWith('.html'),
        identity,
        br: read(`${name}.br`),
        gzip: read(`${name}.gz`),
      };
      return [[name, file] as const];
    }),
  );
}

/** A file that is no part of a build, such as one that the configuration brings. */
export function ownWebFile(name: string, identity: Buffer): WebFile {
  const contentType = TYPES[extensionOf(name)];
  if (contentType === undefined) throw new Error(`Files such as ${name} are not served`);
  return {
    contentType,
    etag: etagOf(identity),
    isImmutable: false,
    isDocument: false,
    identity,
    br: undefined,
    gzip: undefined,
  };
}

/** Changes with the content. */
export function etagOf(identity: Buffer): string {
  return createHash('sha256').update(identity).digest('base64url');
}

function extensionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
