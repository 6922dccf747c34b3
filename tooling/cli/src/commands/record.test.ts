import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { createTestFolder, findFreePort } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recordedLine } from '../record/recorded-exchange.js';
import { record } from './record.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJkYXRhIjoiVTJGc2RHVmtYMTgifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
const HASH = '$2b$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234';

type Handler = Parameters<typeof createServer>[1];

async function startOld(handler: Handler) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: portOf(server), server, [Symbol.asyncDispose]: () => close(server) };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await Promise.resolve();
}

/** Runs the command in front of a server, until `stop`. */
async function startRecord(oldPort: number, ...args: string[]) {
  const folder = await createTestFolder();
  const port = await findFreePort();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const options = ['--listen', String(port), '--to', `http://127.0.0.1:${oldPort}`, ...args];
  const running = record.run({ args: options, env: { INIT_CWD: folder.path }, say, draw: say });
  while (!said.some((line) => line.includes('until Ctrl-C'))) await Promise.race([pause(5), running]);
  const path = `${folder.path}/recording.ndjson`;
  return {
    port,
    said,
    path,
    folder: folder.path,
    async stop() {
      process.emit('SIGTERM');
      const code = await running;
      const content = await readFile(path, 'utf8');
      expect(content.endsWith('\n')).toBe(true);
      const lines = content
        .trimEnd()
        .split('\n')
        .map((line) => recordedLine.parse(JSON.parse(line)));
      return {
        code,
        content,
        exchanges: lines.flatMap((line) => (line.is === 'exchange' ? [line] : [])),
        lines,
      };
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** All that a client reads from the connection. */
async function sendRaw(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(sent);
  return text(socket);
}

async function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: object; body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = options;
  const sent = request({ port, host: '127.0.0.1', path, method, headers: { ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the proxy of gatehouse record', () => {
  it('sends clients the bytes of the replaced system: status, headers in their order and spelling, chunks', async () => {
    await using old = await startOld((_, response) => {
      response.sendDate = false;
      response.writeHead(207, 'Multi', [
        'X-Old',
        'a',
        'Set-Cookie',
        'a=1',
        'set-cookie',
        'b=2',
        'x-old',
        'b',
      ]);
      response.write('one');
      setTimeout(() => response.end('two'), 20);
    });
    await using recorder = await startRecord(old.port);
    const asked = 'GET /a?b=c HTTP/1.1\r\nHost: old.example\r\nConnection: close\r\n\r\n';
    const direct = await sendRaw(old.port, asked);
    expect(direct).toContain('x-old: b');
    expect(direct).toContain('\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n');
    expect(await sendRaw(recorder.port, asked)).toBe(direct);
    await recorder.stop();
  });

  it('passes a request on unchanged: method, target, headers, host and body', async () => {
    const seen: unknown[] = [];
    const take = async (incoming: IncomingMessage): Promise<void> => {
      const body = await text(incoming);
      const { connection: _, ...headers } = incoming.headers;
      seen.push({ method: incoming.method, url: incoming.url, headers, body });
    };
    await using old = await startOld((incoming, response) => {
      void take(incoming).then(() => response.end());
    });
    await using recorder = await startRecord(old.port);
    for (const port of [old.port, recorder.port]) {
      const headers = { host: 'old.example', Token: JWT, 'X-Odd': 'ä' };
      await ask(port, '/a%2Fb/../c?d=%20&d', {
        method: 'GET',
        headers: { ...headers, ...JSON_TYPE, 'content-length': 7 },
        body: '{"a":1}',
      });
      await ask(port, '/chunks', {
        method: 'POST',
        headers: { ...headers, 'transfer-encoding': 'chunked' },
        body: 'x'.repeat(300_000),
      });
      await ask(port, '/nothing', { method: 'DELETE', headers });
    }
    expect(seen.slice(3)).toEqual(seen.slice(0, 3));
    const { exchanges } = await recorder.stop();
    expect(exchanges.map(({ leftOut }) => leftOut)).toEqual([
      undefined,
      ['the body of the request: more than 262144 bytes'],
      undefined,
    ]);
  });

  it('streams an answer while it is written, and pauses it while the client does not read', async () => {
    let written = 0;
    await using old = await startOld((_, response) => {
      const write = () => {
        while (written < 400) {
          written += 1;
          if (!response.write(Buffer.alloc(1_000_000))) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    await using recorder = await startRecord(old.port);
    const sent = request({ port: recorder.port, host: '127.0.0.1' }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    let before = -1;
    while (before !== written) {
      before = written;
      await pause(200);
    }
    expect(written).toBeLessThan(200);
    answer.resume();
    await once(answer, 'end');
    expect(written).toBe(400);
    await recorder.stop();
  });

  it('answers 502 while the replaced system is down, and breaks off where that system breaks off', async () => {
    const port = await findFreePort();
    await using recorder = await startRecord(port);
    expect(await ask(recorder.port, '/down')).toMatchObject({
      status: 502,
      text: 'The replaced system does not answer.\n',
    });
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    await expect(ask(recorder.port, '/half')).rejects.toThrow('aborted');
    await close(server);
    const { exchanges } = await recorder.stop();
    expect(exchanges.map(({ failure }) => failure)).toEqual([
      'the replaced system does not answer: ECONNREFUSED',
      expect.stringMatching(/^the answer broke off/),
    ]);
  });

  it('waits as long as the client does for an answer that never comes, and stops when the client disconnects', async () => {
    let isClosed = false;
    await using old = await startOld((incoming) => {
      incoming.socket.once('close', () => {
        isClosed = true;
      });
    });
    await using recorder = await startRecord(old.port);
    const sent = request({ port: recorder.port, host: '127.0.0.1' });
    sent.on('error', () => undefined).end();
    await pause(100);
    expect(isClosed).toBe(false);
    sent.destroy();
    while (!isClosed) await pause(5);
    const { exchanges } = await recorder.stop();
    expect(exchanges).toMatchObject([{ failure: 'the client left before the answer was complete' }]);
    expect(exchanges[0]?.answer).toBeUndefined();
  });

  it('survives every request and answer that it cannot describe or pass on, and counts what it left out', async () => {
    const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`;
    await using old = await startOld((incoming, response) => {
      if (incoming.url === '/odd-status') {
        incoming.socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      if (incoming.url === '/odd-trailer') {
        incoming.socket.end('HTTP/1.1 200 OK\r\nTrailer: x\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      response.writeHead(200, JSON_TYPE).end(incoming.url === '/deep' ? deep : '{"id":1}');
    });
    await using recorder = await startRecord(old.port);
    const targets = ['//', '//a:99999/', 'http://[/', '/deep', '/odd-status', '/odd-trailer', '/%', '/last'];
    for (const target of targets) {
      const type = `Content-Type: application/json\r\nContent-Length: ${deep.length}`;
      const raw = `POST ${target} HTTP/1.1\r\nHost: a\r\nTrailer: x\r\nConnection: close\r\n${type}\r\n\r\n${deep}`;
      const answer = await sendRaw(recorder.port, raw).catch(() => 'reset');
      if (target !== '/odd-status') expect([target, answer.slice(0, 12)]).toEqual([target, 'HTTP/1.1 200']);
    }
    const { code, exchanges, lines } = await recorder.stop();
    expect(code).toBe(0);
    expect(exchanges.map(({ request: { path } }) => path)).toEqual([
      '//',
      '//a:99999/',
      '/',
      ...targets.slice(3),
    ]);
    expect(exchanges[0]?.leftOut).toEqual(['the body of the request: it is no JSON, or deeper than 100']);
    expect(exchanges[3]?.leftOut).toContain('the body of the answer: it is no JSON, or deeper than 100');
    expect(lines.at(-1)).toMatchObject({ exchanges: 8, leftOut: 0 });
  });

  it('ends even if a client left while its requests waited behind each other', async () => {
    const asked: string[] = [];
    await using old = await startOld((incoming) => void asked.push(incoming.url ?? ''));
    await using recorder = await startRecord(old.port);
    const socket = connect(recorder.port, '127.0.0.1');
    for (const path of ['/a', '/b']) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    while (asked.length < 2) await pause(5);
    socket.destroy();
    const { exchanges } = await recorder.stop();
    expect(exchanges.map(({ failure }) => failure)).toEqual([
      'the client left before the answer was complete',
      'the client left before the answer was complete',
    ]);
  });

  it('frames a request as it arrived, whatever its Connection header names', async () => {
    const seen: string[] = [];
    await using old = await startOld((incoming, response) => {
      void text(incoming).then((body) => {
        seen.push(`${incoming.method} ${incoming.url} ${body}`);
        response.end();
      });
    });
    await using recorder = await startRecord(old.port);
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
    for (const [framing, body] of [
      [`Content-Length: ${hidden.length}`, hidden],
      ['Transfer-Encoding: chunked', `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`],
    ]) {
      const named = 'close, content-length, transfer-encoding, host';
      const raw = `GET /shown HTTP/1.1\r\nHost: a\r\nConnection: ${named}\r\n${framing}\r\n\r\n${body}`;
      expect(await sendRaw(recorder.port, raw)).toContain(' 200 OK');
    }
    expect(seen).toEqual([`GET /shown ${hidden}`, `GET /shown ${hidden}`]);
    await recorder.stop();
  });
});

describe('a recording', () => {
  it('contains no secret of requests and no text of answers, and equal values stay equal', async () => {
    await using old = await startOld((_, response) => {
      response.writeHead(200, {
        ...JSON_TYPE,
        'set-cookie': 'sid=session-of-the-old',
        location: `http://app.test/#login?token=${JWT}`,
      });
      response.end(
        JSON.stringify({
          status: true,
          id: 7,
          data: [{ firstName: 'Ada', odd: 'plain-Secret-9', stored: HASH, pin: 1234 }],
          token: JWT,
        }),
      );
    });
    await using recorder = await startRecord(old.port);
    await ask(recorder.port, '/webauthenticate', {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({
        email: 'ada@old.test',
        password: 'Lovelace-1',
        nested: { secretKey: { b: 1, a: 'partner-Secret' } },
      }),
    });
    await ask(recorder.port, `/auth/me?access_token=query-Secret&x=${JWT}`, {
      headers: {
        Token: JWT,
        authorization: `Bearer ${JWT}`,
        cookie: 'sid=session-of-the-old',
        'x-api-key': 'header-Secret',
      },
    });
    await ask(recorder.port, `/confirm/${JWT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `password=Lovelace-1&note=see+${HASH}&text=7_1700000000000_7`,
    });
    const { content, exchanges } = await recorder.stop();
    for (const secret of ['Lovelace', JWT, HASH, 'session-of-the-old', 'Secret', 'Ada', '1234', '7_17'])
      expect(content).not.toContain(secret);
    const [login, own, form] = exchanges;
    const body = (value: unknown) => ({ kind: 'json', value });
    const digest = expect.stringMatching(/^digest:[\w-]{22}$/) as unknown;
    expect(login?.request.body).toEqual(
      body({ email: 'ada@old.test', password: digest, nested: { secretKey: digest } }),
    );
    expect(login?.answer?.body).toEqual(
      body({
        status: true,
        id: 7,
        data: [{ firstName: digest, odd: digest, stored: digest, pin: digest }],
        token: digest,
      }),
    );
    const token = own?.request.headers['token'];
    expect(token).toEqual(digest);
    expect(own?.request).toEqual({
      method: 'GET',
      path: '/auth/me',
      query: [
        ['access_token', digest],
        ['x', token],
      ],
      headers: { token, authorization: `Bearer ${token}`, cookie: digest },
    });
    expect(login?.answer).toMatchObject({
      body: { value: { token } },
      headers: { location: expect.stringContaining(` ${token}`) as string },
    });
    expect(form?.request.path).toBe(`/confirm/${token}`);
    const sent = z.object({ value: z.object({ password: z.string() }) }).parse(login?.request.body)
      .value.password;
    expect(form?.request.body).toMatchObject({
      kind: 'form',
      pairs: [
        ['password', sent],
        ['note', expect.stringMatching(/^see digest:/) as string],
        ['text', digest],
      ],
    });
  });

  it('contains no secret under other names, in names, in keys, in JSON in a text, or in a path', async () => {
    const base64 = 'q+Zt/8Ue/1Lw+9Xc/Rb2/Hd=';
    const short = 'V1StGXR8_Z5jdHi6B-myT';
    await using old = await startOld((_, response) => {
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ [JWT]: 1, 'Ada Secret': 2, passCode: 4321, id: 7 }));
    });
    await using recorder = await startRecord(old.port);
    const post = async (body: string, type = 'application/json') => {
      await ask(recorder.port, '/webauthenticate', {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
    };
    const form = 'application/x-www-form-urlencoded';
    await post('{"email":"ada@old.test","password":"Hidden-1"}', form);
    await post('Hidden-2', form);
    await post('email=ada%40old.test&passphrase=Hidden-3', form);
    const names = [
      'passwordConfirm',
      'password2',
      'password_confirmation',
      'passphrase',
      'otpCode',
      'apiKeyValue',
    ];
    await post(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, `Hidden-4${at}`]))));
    await post(
      JSON.stringify({
        email: 'firstname-lastname-1234@old.test',
        payload: JSON.stringify({ id: 5, inner: JSON.stringify([{ password: 'Hidden-5' }]) }),
        half: '{"password":"Hidden-6"',
        note: `${base64} and ${short} at https://a.test/x?pwd=Hidden-7&y=1`,
        author: 'Ada',
        [JWT]: true,
      }),
    );
    const input = encodeURIComponent('{"password":"Hidden-8"}');
    for (const path of [`/${short}/getUserdetail12345678`, `/a/${encodeURIComponent(base64)}`])
      await ask(recorder.port, `${path}?${JWT}&key=Hidden-9&input=${input}&${input}&hidden-10&debug&page=2`);
    const { content, exchanges } = await recorder.stop();
    for (const secret of [
      'idden-',
      JWT,
      JWT.slice(-20),
      base64,
      encodeURIComponent(base64),
      short,
      'Ada Secret',
      '4321',
    ])
      expect(content).not.toContain(secret);
    const digest = expect.stringMatching(/^digest:[\w-]{22}$/) as string;
    expect(exchanges.map(({ leftOut }) => leftOut).slice(0, 3)).toEqual([
      ['the body of the request: it is no form'],
      ['the body of the request: it is no form'],
      undefined,
    ]);
    const { value } = z
      .object({ value: z.record(z.string(), z.unknown()) })
      .parse(exchanges[4]?.request.body);
    expect(value).toMatchObject({
      email: 'firstname-lastname-1234@old.test',
      half: digest,
      author: 'Ada',
      payload: expect.stringMatching(/^\{"id":5,"inner":"\[\{\\"password\\":\\"digest:/) as string,
      note: expect.stringMatching(
        /^digest:\S+ and digest:\S+ at https:\/\/a\.test\/x\?pwd=digest:\S{22}&y=1$/,
      ) as string,
    });
    expect(exchanges[5]?.request.path).toMatch(/^\/digest:[\w-]{22}\/getUserdetail12345678$/);
    expect(exchanges[6]?.request.path).toMatch(/^\/a\/digest:[\w-]{22}$/);
    expect(exchanges[5]?.request.query).toEqual([
      ['', digest],
      ['key', digest],
      ['input', expect.stringMatching(/^\{"password":"digest:/)],
      ['', digest],
      ['', digest],
      ['debug', ''],
      ['page', '2'],
    ]);
  });

  it('includes compressed bodies, and says what it leaves out', async () => {
    await using old = await startOld((incoming, response) => {
      const isBig = incoming.url === '/big';
      const bytes = gzipSync(isBig ? JSON.stringify('x'.repeat(300_000)) : '{"id":5}');
      response
        .writeHead(200, { ...JSON_TYPE, 'content-encoding': incoming.url === '/odd' ? 'zstd' : 'gzip' })
        .end(bytes);
    });
    await using recorder = await startRecord(old.port);
    for (const path of ['/small', '/big', '/odd']) await ask(recorder.port, path);
    await ask(recorder.port, '/small', {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"password": "Broken-Secret',
    });
    const { content, exchanges } = await recorder.stop();
    expect(exchanges.map(({ answer, leftOut }) => answer?.body ?? leftOut)).toEqual([
      { kind: 'json', value: { id: 5 } },
      ['the body of the answer: an encoding of its own, or more than 262144 bytes'],
      ['the body of the answer: an encoding of its own, or more than 262144 bytes'],
      { kind: 'json', value: { id: 5 } },
    ]);
    expect(exchanges[3]?.leftOut).toEqual(['the body of the request: it is no JSON, or deeper than 100']);
    expect(content).not.toContain('Broken');
  });

  it('is readable only by its owner, is never overwritten, and ends complete', async () => {
    await using old = await startOld((_, response) => void response.end());
    await using recorder = await startRecord(old.port);
    expect((await stat(recorder.path)).mode & 0o777).toBe(0o600);
    await ask(recorder.port, '/');
    const { code, lines } = await recorder.stop();
    expect(code).toBe(0);
    expect(lines.map(({ is }) => is)).toEqual(['recording', 'exchange', 'end']);
    expect(lines.at(-1)).toMatchObject({ exchanges: 1, leftOut: 0 });
    const again = record.run({
      args: ['--listen', '0', '--to', 'http://127.0.0.1:1'],
      env: { INIT_CWD: recorder.folder },
      say: () => undefined,
      draw: () => undefined,
    });
    await expect(again).rejects.toThrow('is there already');
  });

  it('ends when it is full, and requests continue', async () => {
    await using old = await startOld((_, response) => {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(Array.from({ length: 20_000 }, (__, at) => at)));
    });
    await using recorder = await startRecord(old.port, '--megabytes', '1');
    for (let count = 0; count < 12; count += 1) expect((await ask(recorder.port, '/')).status).toBe(200);
    const { lines, content } = await recorder.stop();
    expect(content.length).toBeLessThan(1024 * 1024 + 200);
    expect(recorder.said.filter((line) => line.includes('the recording ends here'))).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ exchanges: 9, leftOut: 3 });
    expect(recorder.said.at(-1)).toBe('9 exchanges are in recording.ndjson, and 3 are not: it is full.');
  });

  it('takes the key of its digests from a file, and prints a key that it made', async () => {
    await using old = await startOld((_, response) => void response.end());
    await using first = await startRecord(old.port);
    const [, key = ''] = /needs: (\S+)$/.exec(first.said[0] ?? '') ?? [];
    const token = { headers: { Token: JWT } };
    await ask(first.port, '/', token);
    const one = await first.stop();
    await using folder = await createTestFolder();
    await writeFile(`${folder.path}/key`, `${key}\n`);
    await using second = await startRecord(old.port, '--key', `${folder.path}/key`);
    expect(second.said.join()).not.toContain(key);
    await ask(second.port, '/', token);
    const other = await second.stop();
    expect(other.exchanges[0]?.request).toEqual(one.exchanges[0]?.request);
    await using third = await startRecord(old.port);
    await ask(third.port, '/', token);
    expect((await third.stop()).exchanges[0]?.request).not.toEqual(one.exchanges[0]?.request);
  });
});
