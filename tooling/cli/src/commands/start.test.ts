// @module-tag slow

import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hashPassword, VERSION } from '@gatehouse/auth-core';
import { openDatabase } from '@gatehouse/db/open-database';
import { blockOf, createTestFolder, findFreePort, sendRequest, type TestFolder } from '@gatehouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import { PLAY_PNPM } from '../test/play-pnpm.js';
import { readCommands } from '../test/read-commands.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

/**
 * `gatehouse start` as built, in an empty folder, by default on free ports.
 * @param lines of a guide, which end with the start, instead of it
 */
async function startDevelopment(
  named: { ADMIN_PORT?: number; JWT_EXPIRES_IN?: string } = {},
  given?: TestFolder,
  lines = 'pnpm start',
) {
  const folder = given ?? (await createTestFolder());
  const ports = {
    PORT: await findFreePort(),
    ADMIN_PORT: await findFreePort(),
    SIMULATOR_PORT: await findFreePort(),
    PARTNER_PORT: await findFreePort(),
    EVENTS_PORT: await findFreePort(),
    ...named,
  };
  const child = spawn('bash', ['--norc', '-eu', '-c', `${PLAY_PNPM}\n${lines}`], {
    cwd: folder.path,
    env: { PATH, ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exitCode = once(child, 'close').then(([code]: (number | null)[]) => code);
  let said = '';
  const isUp = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Ctrl-C stops')) resolve(true);
    });
    void exitCode.then(() => {
      resolve(false);
    });
  });
  const stop = () => {
    child.kill('SIGTERM');
    return exitCode;
  };
  return {
    main: `http://127.0.0.1:${ports.PORT}`,
    admin: `http://127.0.0.1:${ports.ADMIN_PORT}`,
    partner: `http://127.0.0.1:${ports.PARTNER_PORT}`,
    simulator: `http://127.0.0.1:${ports.SIMULATOR_PORT}`,
    folder: folder.path,
    /** The output of another operator's command about the started programs. */
    ask: (...args: string[]) =>
      spawnSync(process.execPath, [CLI, ...args], {
        cwd: folder.path,
        env: { NODE_ENV: 'development' },
        encoding: 'utf8',
      }).stdout,
    /** Starts such a command. */
    begin: (...args: string[]) =>
      spawn(process.execPath, [CLI, ...args], {
        cwd: folder.path,
        env: { NODE_ENV: 'development', EVENTS_PORT: String(ports.EVENTS_PORT) },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    isUp,
    exitCode,
    said: () => said,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('a start for development', { timeout: 120_000 }, () => {
  it('needs only a folder: both services sign in, local pages may call, and it exits with 0', async () => {
    await using started = await startDevelopment();
    expect(await started.isUp, started.said()).toBe(true);
    const body = { email: 'root@gatehouse.test', password: 'Lantern-Harbor-42' };
    for (const url of [started.main, started.admin]) {
      expect((await sendRequest(`${url}/webauthenticate`, { body })).status).toBe(200);
    }

    const allowed = async (origin: string) => {
      const answer = await fetch(`${started.main}/auth/me`, { headers: { origin } });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await allowed('http://localhost:5173')).toBe('http://localhost:5173');
    expect(await allowed('https://elsewhere.test')).toBeNull();

    const links = [...started.said().matchAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\w[\w/]*/g)].map(
      ([link]) => link,
    );
    expect(links.length).toBeGreaterThan(4);
    for (const link of links.filter((each) => !/\/(?:webauthenticate|mcp)$/.test(each))) {
      expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    }
    const asPartner = (path: string, body: object, token = '') =>
      sendRequest(`${started.main}/partnerAuth/${path}`, {
        body,
        headers: { authorization: `Bearer ${token}` },
      });
    const partner = await asPartner('partnerAuthentication', {
      partnerId: 'acme-partner',
      secretKey: 'acme-partner-demo-secret-0123456789',
    });
    const { token } = (await partner.json()) as { token: string };
    const emmy = { email: 'emmy@example.org', firstName: 'Emmy', lastName: 'Noether' };
    const { loginUrl } = (await (await asPartner('registerUser', emmy, token)).json()) as {
      loginUrl: string;
    };
    expect(new URL(loginUrl).origin).toBe(started.partner);
    expect((await fetch(loginUrl)).status).toBe(200);
    for (const url of [started.main, started.admin]) {
      const page = await fetch(url, { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([
        200,
        expect.stringContaining('<title>Welcome · Gatehouse</title>'),
      ]);
    }
    // A console that is opened at the IP address moves to the address where its passkeys and cookies are.
    const consolePage = await (await fetch(`${started.admin}/console/`)).text();
    expect(consolePage).toContain(`data-origin="${started.admin.replace('127.0.0.1', 'localhost')}"`);
    expect(started.said()).toMatch(/api-main {3}POST \/webauthenticate 200 [\d.]+ ms/);
    expect(started.said()).toContain(
      'The page at https://elsewhere.test may not call: name it in CORS_ORIGINS.',
    );
    const findings = started.ask('doctor').split('\n');
    expect(findings).toContain('ok   configuration: every variable is valid');
    expect(findings.filter((line) => line.startsWith('FIX'))).toEqual([
      'FIX  passwords: 1 in plain text; run gatehouse hash-passwords',
    ]);
    expect(await started.stop()).toBe(0);
  });

  it('has a machine whose key reads its account, and delivers events to a listener on this machine', async () => {
    await using started = await startDevelopment();
    expect(await started.isUp, started.said()).toBe(true);
    const [key = ''] = /gthk_\w{39}/.exec(started.said()) ?? [];
    const members = await fetch(`${started.main}/v1/member/list`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([members.status, await members.text()]).toEqual([200, expect.stringContaining('owner@acme.test')]);

    const [listen = []] = readCommands(blockOf('docs/events.md', 'events listen')).commands;
    const listening = started.begin(...listen);
    let heard = '';
    listening.stdout.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
    });
    await expect.poll(() => heard, { timeout: 20_000 }).toContain('until Ctrl-C');
    const signedIn = await sendRequest(`${started.main}/webauthenticate`, {
      body: { email: 'owner@acme.test', password: 'Lantern-Harbor-42' },
    });
    const { token } = (await signedIn.json()) as { token: string };
    const renamed = await sendRequest(`${started.main}/v1/account/rename`, {
      body: { name: 'Acme Works' },
      headers: { token, accountid: '1' },
    });
    expect(renamed.status, await renamed.text()).toBe(200);
    await expect
      .poll(() => heard, { timeout: 20_000 })
      .toMatch(/account\.updated +account:1 v\d+ +by member 3 .*"Acme Works"/);
    const unheard = once(listening, 'close');
    listening.kill('SIGTERM');
    expect(await unheard).toEqual([0, null]);

    const tail = started.begin('events', 'tail', '--after', '0', '--types', 'account.*');
    const [shown] = (await once(tail.stdout, 'data')) as [Buffer];
    expect(shown.toString()).toMatch(/^ +\d+ .*account\.updated +account:1 .*"Acme Works"/);
    const ended = once(tail, 'close');
    tail.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('sells a plan, and takes the life of a subscription, by the commands of the guide to payments', async () => {
    await using started = await startDevelopment();
    expect(await started.isUp, started.said()).toBe(true);
    const guide = (text: string) => blockOf('docs/payments.md', text);
    const shell = async (commands: string) => {
      const script = commands.replaceAll('http://127.0.0.1:4000', started.main);
      const addresses = `--url ${started.main} --simulator ${started.simulator}`;
      // With other ports than those of the guide, the command has to name both addresses.
      const named = script.replace(/^pnpm -s simulate .*$/m, `$& ${addresses}`);
      const given = { cwd: started.folder, env: { PATH, NODE_ENV: 'development' } };
      return (await promisify(execFile)('bash', ['--norc', '-eu', '-c', `${PLAY_PNPM}\n${named}`], given))
        .stdout;
    };
    const signIn = guide('/subscriptionList');
    expect(await shell(`${signIn}\n${guide('/v1/billing/checkout')}`)).toMatch(/"url":"http:\/\/127/);
    const delivered = (await shell(guide('simulate billing'))).trim().split('\n');
    expect(delivered.map((line) => line.slice(0, 4))).toEqual(Array.from({ length: 20 }, () => '200 '));
    expect(await shell(signIn)).toContain('"provider":"stripe"');
  });

  it('shows those whom the lines of the guide to imports have imported before it, and no demonstration', async () => {
    await using folder = await createTestFolder();
    const people = blockOf('docs/importing/csv.md', '17,zoe@mill.test').split('\n').slice(0, 2).join('\n');
    await writeFile(
      `${folder.path}/people.csv`,
      people.replace('$2b$10$…', await hashPassword('Lantern-Harbor-42')),
    );
    const lines = blockOf('docs/importing.md', 'import --from csv');
    await using started = await startDevelopment({}, folder, lines);
    expect(await started.isUp, started.said()).toBe(true);
    const signIn = (email: string) =>
      sendRequest(`${started.main}/v1/signIn/password`, { body: { email, password: 'Lantern-Harbor-42' } });
    expect(await (await signIn('zoe@mill.test')).text()).toContain('"token":"');
    expect((await signIn('owner@acme.test')).status).toBe(401);
  });

  it('runs from the sources, with the portal beside it, by the commands of the README of the portal', async () => {
    const [services = '', pages = ''] = blockOf('apps/portal/README.md', 'pnpm dev').split('\n');
    await using folder = await createTestFolder();
    // The command is for the folder of the repository, where Node finds tsx.
    await symlink(join(REPOSITORY, 'node_modules'), `${folder.path}/node_modules`);
    await using started = await startDevelopment({}, folder, services);
    expect(await started.isUp, started.said()).toBe(true);
    const port = await findFreePort();
    const [command = ''] = pages.split(' #');
    const portal = spawn('bash', ['--norc', '-c', `exec ${command.trim()} --port ${port}`], {
      cwd: REPOSITORY,
      env: {
        PATH: `${join(REPOSITORY, 'node_modules/.bin')}:${PATH}`,
        GATEHOUSE_URL: started.main,
        pnpm_config_verify_deps_before_run: 'false',
      },
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    try {
      const get = (path: string) => fetch(`http://localhost:${port}${path}`).catch(() => undefined);
      await expect.poll(async () => (await get('/portal/sign-in'))?.status, { timeout: 60_000 }).toBe(200);
      const page = await (await get('/portal/sign-in'))?.text();
      const [, source = ''] = /<script type="module" src="(\/portal\/[^"]+\.tsx)"/.exec(page ?? '') ?? [];
      expect(await (await get(source))?.text()).toContain('import ');
      expect(await (await get('/healthz'))?.json()).toMatchObject({ version: VERSION });
    } finally {
      process.kill(-(portal.pid ?? 0), 'SIGTERM');
      await once(portal, 'close');
    }
  });

  it('renames a database with tables of a version before 0.1.0, and creates a new one', async () => {
    await using folder = await createTestFolder();
    const path = join(folder.path, '.data/gatehouse.db');
    await mkdir(dirname(path));
    const db = await openDatabase(`file:${path}`);
    await db.migrate();
    await db.close();
    const bytes = (await readFile(path)).toString('latin1');
    await writeFile(path, bytes.replaceAll('0000_tables', '0000_before'), 'latin1');
    await using started = await startDevelopment({}, folder);
    expect(await started.isUp, started.said()).toBe(true);
    const [former = ''] = /gatehouse\.db\.before-\S+/.exec(started.said()) ?? [];
    expect(await readdir(`${folder.path}/.data`)).toContain(former);
  });

  it('exits with 1 when a service refuses its configuration', async () => {
    await using started = await startDevelopment({ JWT_EXPIRES_IN: 'soon' });
    expect(await started.exitCode, started.said()).toBe(1);
    expect(started.said()).toContain('A program ended, so all of them stop.');
    expect(started.said()).not.toContain('Gatehouse is up');
  });

  it('stops on a signal while its programs are still starting', async () => {
    await using started = await startDevelopment();
    await vi.waitUntil(() => started.said().includes('demonstration data written'), { timeout: 20_000 });
    expect(await started.stop()).toBe(0);
    expect(started.said()).not.toContain('Gatehouse is up');
  });

  it('says which port is taken, instead of showing what another program answers there', async () => {
    const port = await findFreePort();
    const somebody = createServer((_, response) => response.end('ready')).listen(port, '127.0.0.1');
    await once(somebody, 'listening');
    try {
      await using started = await startDevelopment({ ADMIN_PORT: port });
      expect(await started.exitCode).toBe(1);
      expect(started.said()).toBe(
        `api-admin cannot have port ${port}: something listens there. Stop it, or set ADMIN_PORT.\n`,
      );
    } finally {
      somebody.close();
    }
  });
});
