import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebFile } from './read-web-files.js';
import { WEB_POLICY } from './web-policy.js';

const YEAR_SECONDS = 31_536_000;

/** Sends a file in the best form the browser takes, or 304 for the one that it has. */
export function sendWebFile(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  file: WebFile,
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
    response.setHeader('Content-Security-Policy', WEB_POLICY);
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

/** An encoding counts if it is named without a weight of zero (RFC 9110, section 12.5.3). */
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
