import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import CryptoJS from 'crypto-js';
import jwt from 'jsonwebtoken';
import { ADMIN_HANDLERS } from './replaced-admin-handlers.js';
import { failed, type OldReply, type OldTokens, type ReplacedServiceOptions } from './replaced-handling.js';
import { MAIN_HANDLERS } from './replaced-main-handlers.js';
import type { ReplacedRows } from './replaced-rows.js';

const SESSION_SECONDS = 7 * 86_400;

/**
 * The replaced system, over rows in memory, as its description states it; the paths of the auth router, and the names in answers
 * that the description does not show, are those that its clients use. It shares no code with the services of this repository.
 */
export async function startReplacedService(rows: ReplacedRows, options: ReplacedServiceOptions) {
  const tokens = createTokens(options.secret);
  const handlers = Object.entries(options.deployment === 'main' ? MAIN_HANDLERS : ADMIN_HANDLERS).map(
    ([path, handle]) => ({ pattern: patternOf(path), handle }),
  );
  const reply = async (request: IncomingMessage): Promise<OldReply> => {
    const url = new URL(request.url ?? '/', 'http://old.invalid');
    const sent = await text(request);
    for (const { pattern, handle } of handlers) {
      const found = pattern.exec(url.pathname);
      if (found === null) continue;
      const account = request.headers['accountid'];
      return handle({
        rows,
        options,
        headers: request.headers,
        params: Object.fromEntries(
          Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        ),
        body: bodyOf(request, sent),
        query: url.searchParams,
        accountId: account === undefined ? null : Number(account),
        tokens,
      });
    }
    return { status: 404, json: { status: false, message: 'Not found' } };
  };
  const server = createServer((request, response) => {
    reply(request)
      .catch((error: unknown): OldReply => failed(500, String(error)))
      .then(
        (answer) => {
          if (answer === 'never') return;
          const { status, json, location } = answer;
          const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
          const body = json === undefined ? (answer.text ?? '') : JSON.stringify(json);
          response.writeHead(status, {
            ...(body === '' ? {} : { 'content-type': type }),
            ...(location === undefined ? {} : { location }),
            'content-length': Buffer.byteLength(body),
          });
          response.end(request.method === 'HEAD' ? undefined : body);
        },
        () => response.destroy(),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    tokens,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function createTokens(secret: string): OldTokens {
  const revoked = new Set<string>();
  const sealed = (payload: object) => CryptoJS.AES.encrypt(JSON.stringify(payload), secret).toString();
  const verify = (token: string, options: jwt.VerifyOptions = {}): jwt.JwtPayload | undefined => {
    try {
      const claims: unknown = jwt.verify(token, secret, options);
      return typeof claims === 'object' && claims !== null ? { ...claims } : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    seal: (payload, expiresIn = SESSION_SECONDS) =>
      jwt.sign(
        { data: sealed(payload) },
        secret,
        expiresIn === Number.POSITIVE_INFINITY ? {} : { expiresIn },
      ),
    open(token) {
      const data: unknown = revoked.has(token) ? undefined : verify(token)?.['data'];
      if (typeof data !== 'string') return undefined;
      const payload: unknown = JSON.parse(CryptoJS.AES.decrypt(data, secret).toString(CryptoJS.enc.Utf8));
      return typeof payload === 'object' && payload !== null ? { ...payload } : undefined;
    },
    bearer: (payload) => jwt.sign(payload, secret, { expiresIn: SESSION_SECONDS }),
    verify: (authorization, options) => verify(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '', options),
    revoke: (token) => void revoked.add(token),
  };
}

function bodyOf({ headers }: IncomingMessage, sent: string): Readonly<Record<string, unknown>> {
  if (sent === '') return {};
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true)
    return Object.fromEntries(new URLSearchParams(sent));
  const value: unknown = JSON.parse(sent);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i');
}
