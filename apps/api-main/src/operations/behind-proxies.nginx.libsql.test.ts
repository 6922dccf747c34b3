// @module-tag slow

import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  blockOf,
  createTestDatabase,
  createTestFolder,
  findFreePort,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
} from '@gatehouse/testkit';
import { findNginx, findProgram, startHaproxy, startProxy } from '@gatehouse/testkit/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../../../deploy/proxy/${name}`, import.meta.url));

/** On Linux each address of 127.0.0.0/8 is this machine's, so that callers may have different ones. */
const CALLERS = ['127.0.0.2', '127.0.0.3'] as const;
const FORGED = '203.0.113.9';
/** Keeps a connection for each caller. */
const agent = new Agent({ keepAlive: true });

interface Certificate {
  readonly folder: string;
  /** The certificate, the key, and a file with both. */
  readonly chain: string;
  readonly key: string;
  readonly both: string;
}

/** Makes a certificate for api.example.com. */
async function makeCertificate(folder: string): Promise<Certificate> {
  const [chain, key, both] = [join(folder, 'chain.pem'), join(folder, 'key.pem'), join(folder, 'both.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=api.example.com',
  ];
  const names = ['-addext', 'subjectAltName=DNS:api.example.com'];
  await promisify(execFile)('openssl', [...words, ...names, '-keyout', key, '-out', chain]);
  await writeFile(both, (await readFile(chain, 'utf8')) + (await readFile(key, 'utf8')));
  return { folder, chain, key, both };
}

/** The status of a request over TLS by a caller who claims another address. */
function call(
  port: number,
  localAddress: string,
  path: string,
  ca: Buffer,
  host = 'api.example.com',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, 'X-Forwarded-For': FORGED, Forwarded: `for=${FORGED}` };
    const target = {
      host: '127.0.0.1',
      port,
      path,
      localAddress,
      headers,
      ca,
      servername: 'api.example.com',
    };
    request({ ...target, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end();
  });
}

/** Until the proxy has found its nodes ready. */
async function callUntilReady(port: number, ca: Buffer): Promise<void> {
  while ((await call(port, '127.0.0.1', '/healthz', ca)) !== 200) await pause(50);
}

describe('api-main behind a proxy with the shipped configuration', { timeout: 60_000 }, () => {
  let world: Awaited<ReturnType<typeof createTestDatabase>>;
  let folder: Awaited<ReturnType<typeof createTestFolder>>;
  let node: SpawnedService;
  let certificate: Certificate;
  let ca: Buffer;
  let nodeAddress: string;

  beforeAll(async () => {
    world = await createTestDatabase('libsql');
    folder = await createTestFolder();
    await seedTestDatabase(world.database);
    node = await spawnService('api-main', { databaseUrl: world.url, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    nodeAddress = new URL(node.url).host;
    certificate = await makeCertificate(folder.path);
    ca = await readFile(certificate.chain);
  });
  afterAll(async () => {
    agent.destroy();
    await node[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** The addresses in the lines of `/auth/me`, of the log and the security log, that two callers get. */
  async function loggedAddresses(port: number): Promise<string[]> {
    const before = node.output().length;
    for (const caller of CALLERS) expect(await call(port, caller, '/auth/me', ca)).toBe(401);
    const lines = () =>
      node
        .output()
        .slice(before)
        .split('\n')
        .flatMap((line) => /"event":"(?:request|access\.denied)".*"address":"([^"]+)"/.exec(line)?.[1] ?? []);
    while (lines().length < 2 * CALLERS.length) await pause(25);
    return lines();
  }

  async function startNginx(nodeOf: string): Promise<{ port: number } & AsyncDisposable> {
    const [port, plain] = [await findFreePort(), await findFreePort()];
    const text = (await readFile(shipped('nginx.conf'), 'utf8'))
      .replace('/etc/nginx/certificates/gatehouse.pem', certificate.chain)
      .replace('/etc/nginx/certificates/gatehouse.key', certificate.key)
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll(/10\.0\.0\.1[12]:400[01]/g, nodeOf);
    const [site, main] = [join(folder.path, 'gatehouse.conf'), join(folder.path, 'nginx.conf')];
    await writeFile(site, text);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(folder.path, name)};`,
    );
    await writeFile(
      main,
      `daemon off; pid ${join(folder.path, 'nginx.pid')}; error_log stderr; events {}
       http { access_log off; ${places.join(' ')} include ${site}; }`,
    );
    const program = findNginx() ?? 'nginx';
    const proxy = await startProxy({
      program,
      args: ['-p', folder.path, '-c', main],
      env: {},
      ports: [port],
    });
    return { port, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
  }

  async function startBalancer(
    bind: string,
    port: number,
    fronts: string,
    nodeOf = nodeAddress,
  ): Promise<AsyncDisposable> {
    const [admin, figures] = [await findFreePort(), await findFreePort()];
    return startHaproxy(shipped('haproxy.cfg'), {
      ports: [port, figures],
      variables: {
        FIGURES_BIND: `127.0.0.1:${figures}`,
        MAIN_BIND: bind,
        MAIN_NODE_1: nodeOf,
        MAIN_NODE_2: nodeOf,
        ADMIN_BIND: `127.0.0.1:${admin}`,
        ADMIN_NODE_1: nodeOf,
        ADMIN_NODE_2: nodeOf,
        TRUSTED_FRONTS: fronts,
      },
    });
  }

  const EACH_TWICE = CALLERS.flatMap((caller) => [caller, caller]);

  it('logs the address of each caller through haproxy with TLS, whatever they claim', async () => {
    const port = await findFreePort();
    const bind = `127.0.0.1:${port} ssl crt ${certificate.both} alpn h2,http/1.1`;
    await using _proxy = await startBalancer(bind, port, '');
    await callUntilReady(port, ca);
    expect(await loggedAddresses(port)).toEqual(EACH_TWICE);
    expect(await call(port, CALLERS[0], '/metrics', ca)).toBe(404);
  });

  it('is what haproxy is configured for by the commands of the guide to operations', async () => {
    await mkdir(join(folder.path, 'certificates'));
    await copyFile(certificate.both, join(folder.path, 'certificates/api.pem'));
    const commands = blockOf('docs/operations.md', '/etc/default/haproxy')
      .replaceAll('/etc/haproxy/', `${folder.path}/`)
      .replaceAll('/etc/default/', `${folder.path}/default-`);
    const program = findProgram('haproxy', ['/usr/sbin', '/usr/local/sbin']);
    // No systemd runs here, so haproxy only checks what it would start with.
    const check = `set -a; . '${folder.path}/default-haproxy'; '${program}' -c -f '${folder.path}/haproxy.cfg'`;
    const script = `systemctl() { ${check}; }\n${commands}`;
    await promisify(execFile)('bash', ['--norc', '-eu', '-c', script], { cwd: REPOSITORY });
    expect(await readFile(`${folder.path}/haproxy.cfg`, 'utf8')).toContain('user haproxy');
  });

  it('logs the address of each caller through nginx with TLS, whatever they claim', async () => {
    await using proxy = await startNginx(nodeAddress);
    await callUntilReady(proxy.port, ca);
    expect(await loggedAddresses(proxy.port)).toEqual(EACH_TWICE);
    expect(await call(proxy.port, CALLERS[0], '/%6Detrics', ca)).toBe(404);
  });

  it('gets 421 from nginx for a host that belongs to no service', async () => {
    await using proxy = await startNginx(nodeAddress);
    await callUntilReady(proxy.port, ca);
    expect(await call(proxy.port, CALLERS[0], '/healthz', ca, '127.0.0.1')).toBe(421);
  });

  it('logs the address of each caller through Caddy with TLS, whatever they claim', async () => {
    const [port, admin, control] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const tls = `tls ${certificate.chain} ${certificate.key}`;
    await using _proxy = await startProxy({
      program: findProgram('caddy') ?? 'caddy',
      args: ['run', '--adapter', 'caddyfile', '--config', shipped('Caddyfile')],
      env: {
        HOME: folder.path,
        CADDY_ADMIN: `127.0.0.1:${control}`,
        MAIN_ADDRESS: `https://api.example.com:${port}`,
        MAIN_TLS: tls,
        MAIN_NODE_1: nodeAddress,
        MAIN_NODE_2: nodeAddress,
        ADMIN_ADDRESS: `http://staff-api.example.com:${admin}`,
      },
      ports: [port],
    });
    await callUntilReady(port, ca);
    expect(await loggedAddresses(port)).toEqual(EACH_TWICE);
    expect(await call(port, CALLERS[0], '/metrics', ca)).toBe(404);
  });

  it('logs the address of each caller through nginx with TLS and then an haproxy that trusts it', async () => {
    const behind = await findFreePort();
    await using _balancer = await startBalancer(`127.0.0.1:${behind}`, behind, '127.0.0.1 192.0.2.0/24');
    await using front = await startNginx(`127.0.0.1:${behind}`);
    await callUntilReady(front.port, ca);
    expect(await loggedAddresses(front.port)).toEqual(EACH_TWICE);
  });

  it('warns once of an untrusted proxy, and never of a trusted one', async () => {
    const warningsOf = async (trusted: string) => {
      const production = {
        NODE_ENV: 'production',
        APP_URL: 'https://app.example.com',
        BASE_URL: 'https://api.example.com',
        MAIL_OUTBOX_ONLY: 'true',
        MAIL_OUTBOX_DIRECTORY: join(folder.path, 'outbox'),
        TRUSTED_PROXIES: trusted,
      };
      await using own = await spawnService('api-main', { databaseUrl: world.url, env: production });
      const port = await findFreePort();
      const bind = `127.0.0.1:${port} ssl crt ${certificate.both}`;
      await using _proxy = await startBalancer(bind, port, '', new URL(own.url).host);
      await callUntilReady(port, ca);
      for (let count = 0; count < 210; count += 1)
        await call(port, `127.0.0.${2 + (count % 9)}`, '/auth/me', ca);
      expect(await own.stop()).toBe(0);
      return own.output().match(/.*"event":"proxy\.untrusted".*/g) ?? [];
    };
    expect(await warningsOf('192.0.2.1')).toEqual([
      expect.stringContaining('All of the last 100 requests have the address 127.0.0.1.'),
    ]);
    expect(await warningsOf('127.0.0.1')).toEqual([]);
  });

  it('logs the address of a caller whom haproxy does not trust, whatever they claim', async () => {
    const port = await findFreePort();
    const bind = `127.0.0.1:${port} ssl crt ${certificate.both}`;
    await using _proxy = await startBalancer(bind, port, '127.0.0.1 192.0.2.0/24');
    await callUntilReady(port, ca);
    expect(await loggedAddresses(port)).toEqual(EACH_TWICE);
  });
});
