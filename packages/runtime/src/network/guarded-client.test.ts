// @module-tag slow

import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { createGuardedClient, type Reach } from './guarded-client.js';

const PRIVATE = ['10.20.0.0/16', 'fd00:20::/32'];

/** Names as a name server would answer them; a function answers each request separately. */
function client(
  names: Readonly<Record<string, readonly string[] | (() => readonly string[])>> = {},
  { isProduction = true, privateNetworks = PRIVATE } = {},
) {
  const resolve = (name: string) => {
    const known = names[name];
    if (known === undefined) return Promise.reject(new Error('ENOTFOUND'));
    return Promise.resolve(typeof known === 'function' ? known() : known);
  };
  return createGuardedClient({ isProduction, privateNetworks, resolve });
}

/** A server on this machine that counts its requests. */
async function listen(answer: RequestListener) {
  const seen: string[] = [];
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    seen,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const call = (reach: Reach = 'public') => ({
  reach,
  headers: { 'content-type': 'text/plain' },
  body: 'hello',
});

/**
 * An address of each special range, in IPv4 and IPv6. Those of the last two lines contain an IPv4 address: mapped,
 * compatible, translated, NAT64, 6to4 and Teredo.
 */
const SPECIAL = `
0.0.0.0 10.0.0.1 100.64.0.1 127.0.0.1 127.8.9.1 169.254.169.254 172.16.0.1
192.0.0.8 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.1 203.0.113.1
224.0.0.1 240.0.0.1 255.255.255.255 192.31.196.1 192.52.193.1 192.175.48.1
:: ::1 fe80::1 fc00::1 fd12::1 fec0::1 ff02::1 100::1 2001:db8::1 3fff::1
5f00::1 4000::1 2001:2::1 2001:20::1 2620:4f:8000::1
::ffff:127.0.0.1 ::ffff:a00:1 ::7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::a00:1
2002:7f00:1:: 2002:a00:1::1 2001::1 2001:0:7f00:1::
`
  .trim()
  .split(/\s+/);

const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('an address that is not public', () => {
  it.each(SPECIAL)('%s is refused in a URL, and as the resolved address of a name', async (address) => {
    const guarded = client({ 'a.example': [address] });
    for (const host of [inUrl(address), 'a.example'])
      for (const url of [`https://${host}/`, `https://${host}:8443/hook`]) {
        expect([url, await guarded.accepts(url, 'public')]).toEqual([url, false]);
        expect(await guarded.post(url, call())).toEqual({ failure: 'no_public_address' });
      }
  });

  it.each(
    `0x7f000001 2130706433 0177.0.0.1 127.1 0x7f.1 017700000001 127.0.0.1. １２７.0.0.1 127。0。0。1 [::ffff:7f00:1]
    [0:0:0:0:0:ffff:127.0.0.1] 0 0xa9fea9fe localhost LOCALHOST. app.localhost`.split(/\s+/),
  )('is refused in the form %s', async (host) => {
    const guarded = createGuardedClient({ isProduction: true, privateNetworks: [] });
    expect(await guarded.accepts(`https://${host}/`, 'public')).toBe(false);
    expect(await guarded.post(`https://${host}/`, call())).toEqual({ failure: 'no_public_address' });
  });

  it('is refused even among public ones, and so is a name without addresses', async () => {
    const guarded = client({
      'mixed.example': ['93.184.215.14', '10.0.0.1'],
      'mixed6.example': ['93.184.215.14', '::ffff:10.0.0.1'],
      'none.example': [],
    });
    for (const name of ['mixed.example', 'mixed6.example', 'none.example', 'unknown.example']) {
      expect([name, await guarded.accepts(`https://${name}/`, 'public')]).toEqual([name, false]);
      expect(await guarded.post(`https://${name}/`, call())).toEqual({ failure: 'no_public_address' });
    }
  });

  it('is refused when a name resolves to it between the check and the connection', async () => {
    await using server = await listen((_, response) => response.end());
    const answers = [['93.184.215.14'], ['127.0.0.1']];
    const guarded = client({ 'rebound.example': () => answers.shift() ?? ['127.0.0.1'] });
    const url = `https://rebound.example:${server.port}/`;
    expect(await guarded.accepts(url, 'public')).toBe(true);
    expect(await guarded.post(url, call())).toEqual({ failure: 'no_public_address' });
    expect(server.seen).toEqual([]);
  });

  it('is called in a range that the operator allows, by the calls that may use the range', async () => {
    const guarded = client({ 'in.example': ['10.20.3.4'], 'out.example': ['10.21.3.4'] });
    const accepted = (host: string, reach: Reach) => guarded.accepts(`https://${host}/`, reach);
    for (const host of ['in.example', '10.20.3.4', '[fd00:20::1]', '[::ffff:10.20.3.4]']) {
      expect([host, await accepted(host, 'private')]).toEqual([host, true]);
      expect([host, await accepted(host, 'public')]).toEqual([host, false]);
    }
    for (const host of ['out.example', '10.21.3.4', '[fd00:21::1]', '127.0.0.1'])
      expect([host, await accepted(host, 'private')]).toEqual([host, false]);
  });
});

describe('this machine and its links', () => {
  const privateNetworks = ['127.0.0.0/8', '169.254.0.0/16', '0.0.0.0/0', '::1/128', 'fe80::/10', '::/0'];

  it.each(
    '127.0.0.1 127.8.9.1 0.0.0.0 0.0.0.1 169.254.169.254 ::1 :: fe80::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe'.split(
      ' ',
    ),
  )('cannot be called at %s in production, whatever ranges the operator allows', async (address) => {
    const guarded = client({ 'a.example': [address] }, { privateNetworks });
    for (const host of [inUrl(address), 'a.example']) {
      const url = `https://${host}/`;
      expect([url, await guarded.accepts(url, 'private')]).toEqual([url, false]);
      expect(await guarded.post(url, call('private'))).toEqual({ failure: 'no_public_address' });
    }
  });

  it('can be called outside production only by loopback addresses', async () => {
    const guarded = client({}, { isProduction: false, privateNetworks });
    const accepted = (address: string) => guarded.accepts(`https://${inUrl(address)}/`, 'private');
    for (const address of ['127.0.0.1', '::1', '10.0.0.1', 'fd12::1'])
      expect([address, await accepted(address)]).toEqual([address, true]);
    for (const address of ['0.0.0.0', '169.254.169.254', '::', 'fe80::1'])
      expect([address, await accepted(address)]).toEqual([address, false]);
  });
});

describe('a URL to call', () => {
  const NAMES = { 'a.example': ['93.184.215.14', '2606:2800:220:1:248:1893:25c8:1946'] };

  it.each([
    ['https://a.example', true],
    ['https://a.example/hook?x=1', true],
    ['https://a.example:443/', true],
    ['https://a.example:1024/', true],
    ['https://93.184.215.14/', true],
    ['https://a.example:22/', false],
    ['https://a.example:1023/', false],
    ['https://user@a.example/', false],
    ['https://user:secret@a.example/', false],
    ['http://a.example/', false],
    ['http://a.example:8080/', false],
    ['ftp://a.example/', false],
    ['file:///etc/passwd', false],
    ['gopher://a.example:4000/', false],
    ['a.example', false],
    ['', false],
  ])('%s is accepted in production: %s', async (url, isAccepted) => {
    expect(await client(NAMES).accepts(url, 'public')).toBe(isAccepted);
    if (!isAccepted) expect(await client(NAMES).post(url, call())).toEqual({ failure: 'no_public_address' });
  });

  it('may use http, and lead to this machine, only outside production', async () => {
    await using server = await listen((_, response) => response.end('ok'));
    const outside = client({}, { isProduction: false });
    expect(await outside.post(server.url, call())).toMatchObject({ status: 200, body: Buffer.from('ok') });
    expect(await outside.accepts('http://10.0.0.1:8080/', 'public')).toBe(false);
    expect(await client().post(server.url, call())).toEqual({ failure: 'no_public_address' });
    expect(server.seen).toEqual(['POST /']);
  });
});

describe('a guarded call', () => {
  const outside = () => client({}, { isProduction: false });

  it('sends the body unchanged, without cookies, and asks for no compression', async () => {
    const sent: unknown[] = [];
    await using server = await listen((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        sent.push(request.headers, body);
        response.setHeader('set-cookie', 'a=1').end();
      });
    });
    const guarded = outside();
    await guarded.post(server.url, call());
    await guarded.post(server.url, call());
    const headers = { 'content-type': 'text/plain', 'content-length': '5', connection: 'close' };
    const host = new URL(server.url).host;
    expect(sent).toEqual([{ ...headers, host }, 'hello', { ...headers, host }, 'hello']);
  });

  it('uses no proxy that a variable names', async () => {
    await using proxy = await listen((_, response) => response.end());
    await using server = await listen((_, response) => response.end());
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, proxy.url);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    try {
      expect(await outside().post(server.url, call())).toMatchObject({ status: 200 });
    } finally {
      vi.unstubAllEnvs();
    }
    expect([proxy.seen, server.seen]).toEqual([[], ['POST /']]);
  });

  it('for a document stops at its maximum size and time, and may go to the same addresses', async () => {
    await using endless = await listen((_, response) => response.end(Buffer.alloc(9_000, 0x61)));
    await using silent = await listen(() => undefined);
    const limits = {
      reach: 'public',
      headers: { accept: 'application/json' },
      maxBytes: 100,
      wholeMs: 300,
    } as const;
    const read = await outside().get(`${endless.url}/a.json`, limits);
    expect(read).toMatchObject({ status: 200, body: Buffer.alloc(100, 0x61) });
    expect(endless.seen).toEqual(['GET /a.json']);
    expect(await outside().get(silent.url, limits)).toEqual({ failure: 'timeout' });
    for (const url of [
      endless.url,
      'https://10.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://user@a.example/',
    ])
      expect(await client({ 'a.example': ['93.184.215.14'] }).get(url, limits)).toEqual({
        failure: 'no_public_address',
      });
  });

  it('follows no redirect', async () => {
    await using target = await listen((_, response) => response.end());
    await using server = await listen((_, response) =>
      response.writeHead(307, { location: `${target.url}/stolen` }).end(),
    );
    expect(await outside().post(server.url, call())).toMatchObject({ status: 307 });
    expect([server.seen, target.seen]).toEqual([['POST /'], []]);
  });

  it('reads 16 kB of an endless answer, and decompresses no answer', async () => {
    await using server = await listen((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(8_192, 0x1f)));
      };
      response.on('drain', write);
      write();
    });
    expect(await outside().post(server.url, call())).toMatchObject({
      status: 200,
      body: Buffer.alloc(16_384, 0x1f),
    });
  });

  it('is given up after ten seconds', { timeout: 20_000 }, async () => {
    await using silent = await listen(() => undefined);
    await using slow = await listen((_, response) => {
      const timer = setInterval(() => response.write('.'), 500);
      response.on('close', () => clearInterval(timer));
    });
    const startedAtMs = performance.now();
    expect(await Promise.all([silent, slow].map(({ url }) => outside().post(url, call())))).toEqual([
      { failure: 'timeout' },
      { failure: 'timeout' },
    ]);
    expect(performance.now() - startedAtMs).toBeLessThan(12_000);
  });

  it('reports how far it got', { timeout: 20_000 }, async () => {
    await using plain = await listen((_, response) => response.end());
    await using rude = await listen((request) => request.socket.destroy());
    const mute = createTcpServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const mutePort = typeof address === 'object' && address !== null ? address.port : 0;
    const guarded = outside();
    expect(await guarded.post(`https://127.0.0.1:${plain.port}`, call())).toEqual({ failure: 'tls_failed' });
    expect(await guarded.post(rude.url, call())).toEqual({ failure: 'connection_lost' });
    expect(await guarded.post(`https://127.0.0.1:${mutePort}`, call())).toEqual({
      failure: 'connect_timeout',
    });
    mute.close();
    const closed = await listen(() => undefined);
    await closed[Symbol.asyncDispose]();
    expect(await guarded.post(closed.url, call())).toEqual({ failure: 'connect_failed' });
  });
});
