import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
  webp: 'image/webp',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
  yaml: 'application/yaml; charset=utf-8',
};

type WebFiles = ReadonlyMap<string, WebFile>;

/** A build does not change while it is served. */
const known = new Map<string, WebFiles>();

/**
 * Reads the files of a build once in a process, by their names with slashes. Files of other kinds are left out.
 * @returns undefined if there is no such folder
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

/** A file that is not part of a build, such as one of the configuration. */
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

/**
 * The Content-Security-Policy of built pages: only their own files, no markup or code made of text, no frames. It is that of
 * every document, so that a screen that needs more cannot be added by accident.
 */
const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const YEAR_SECONDS = 31_536_000;

/**
 * Sends a file in the best form the browser takes, or 304 for the one that it has.
 * @param policy the Content-Security-Policy of documents
 */
export function sendWebFile(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  file: WebFile,
  policy: string = WEB_POLICY,
): void {
  const { encoding, body } = formOf(file, headers['accept-encoding'] ?? '');
  const etag = `"${file.etag}${encoding === undefined ? '' : `-${encoding}`}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader(
    'Cache-Control',
    file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
  );
  if (file.isDocument) {
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  }
  if (isKnown(headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.statusCode = 200;
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', body.length);
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  response.end(method === 'HEAD' ? undefined : body);
}

/** An encoding is accepted if it is named without a weight of zero (RFC 9110, section 12.5.3). */
function formOf(file: WebFile, accepted: string): { encoding: 'br' | 'gzip' | undefined; body: Buffer } {
  const takes = (name: string) =>
    accepted.split(',').some((each) => {
      const [coding = '', weight = ''] = each.split(';');
      return coding.trim().toLowerCase() === name && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
    });
  if (file.br !== undefined && takes('br')) return { encoding: 'br', body: file.br };
  if (file.gzip !== undefined && takes('gzip')) return { encoding: 'gzip', body: file.gzip };
  return { encoding: undefined, body: file.identity };
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag) === true;
}
