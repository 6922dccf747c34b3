import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { hashPassword } from '@gatehouse/auth-core';
import { blockOf, insertTestMember, printMeasurements, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { gzippedPasskeys, servePasskeyPage } from './test/serve-passkey-page.js';

const PASSWORD = 'a password of the browser 42';

/** A service whose front end is a page at localhost, and a browser with an authenticator. */
async function start({
  env = {},
  args = [],
  at,
  isInCookie = false,
}: {
  env?: Record<string, string>;
  args?: string[];
  /** Where the page is, if it is not at localhost. */
  at?: (front: string) => Promise<string>;
  /** Whether the page may keep its session in a cookie. */
  isInCookie?: boolean;
} = {}) {
  const front = await servePasskeyPage();
  const service = await startService(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env: {
      APP_URL: front.url,
      BASE_URL: front.url,
      PASSKEY_ORIGINS: '',
      CORS_ORIGINS: front.url,
      ...(isInCookie ? { COOKIE_ORIGINS: front.url } : {}),
      ...env,
    },
  });
  const browser = await openBrowser({ args });
  const page = await browser.context.newPage();
  await page.goto((await at?.(front.url)) ?? front.url);
  const devtools = await browser.context.newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const passwordHash = await hashPassword(PASSWORD);
  const member = await insertTestMember(service.database, { isConfirmed: true, passwordHash });
  const proven = {
    sql: 'update members set owner_proven_at_ms = ? where id = ?',
    params: [Date.now(), member.id],
  };
  await service.database.write({ toSQL: () => proven });
  await page.evaluate(`window.gatehouse = createMainClient({ url: '${service.url}' })`);
  await page.evaluate(`gatehouse.signIn({ email: '${member.email}', password: '${PASSWORD}' })`);
  return {
    service,
    member,
    devtools,
    authenticatorId,
    front,
    /** The result of an expression in the page, or the code or name of what it throws. */
    run: (expression: string) =>
      page.evaluate(
        `(async () => (${expression}))().catch((error) => error.data?.reason ?? error.name + ': ' + error.message)`,
      ),
    cookies: (url: string) => browser.context.cookies(url),
    credentials: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    async [Symbol.asyncDispose]() {
      for (const part of [browser, service, front]) await part[Symbol.asyncDispose]();
    },
  };
}

describe('passkeys in a browser', { timeout: 120_000 }, () => {
  it('are registered, sign in, are autofilled, serve as a second step, and are removed with a signal', async () => {
    await using world = await start();
    const { run, member } = world;
    expect(await run("passkeys.addPasskey(gatehouse, { name: 'This browser' })")).toMatchObject({
      name: 'This browser',
      backupCodes: expect.arrayContaining([expect.any(String)]),
    });
    expect(await world.credentials()).toBe(1);
    expect(await run('passkeys.addPasskey(gatehouse)')).toMatch(/^InvalidStateError/);
    await run('gatehouse.signOut()');
    expect(await run('passkeys.signInWithPasskey(gatehouse)')).toMatchObject({
      userId: member.id,
      level: 3,
      methods: ['passkey'],
    });
    expect(await run('gatehouse.api.session.me.query().then(({ member }) => member.id)')).toBe(member.id);

    await run('gatehouse.signOut()');
    expect(await run('passkeys.autofillPasskey(gatehouse)')).toMatchObject({ userId: member.id, level: 3 });

    expect(await run('gatehouse.api.factor.switch.mutate({ secondFactor: true }).then(() => true)')).toBe(
      true,
    );
    const credentials = JSON.stringify({ email: member.email, password: PASSWORD });
    const stepped = await run(`(async () => {
      const refusal = await gatehouse.signIn(${credentials}).catch((error) => error);
      const { challenge, methods: asked } = refusal.data;
      const { data } = await gatehouse.api.signIn.stepOptions.mutate({ challenge });
      const { methods, level } = await gatehouse.continueSignIn(challenge, await passkeys.getPasskey(data));
      return { asked, methods, level };
    })()`);
    expect(stepped).toEqual({ asked: ['passkey', 'backupCode'], methods: ['pwd', 'passkey'], level: 3 });

    await run('gatehouse.api.factor.switch.mutate({ secondFactor: false })');
    await run(`(async () => {
      const { list } = await gatehouse.api.passkey.list.query();
      const { signals } = await gatehouse.api.passkey.remove.mutate({ passkeyId: list[0].id });
      await passkeys.sendSignals(signals);
    })()`);
    await expect.poll(world.credentials).toBe(0);
  });

  it('are added and used by the code of the guide', async () => {
    await using world = await start();
    const { member, service } = world;
    const [, client = '', autofill = '', button = '', settings = ''] = blockOf(
      'docs/passkeys.md',
      'ts passkeys\n',
    ).split('\n\n');
    const follow = (lines: string, result: string) =>
      world.run(`(async () => {
        const { addPasskey, autofillPasskey, signInWithPasskey } = passkeys;
        ${client.replace('https://api.example.com', service.url)}
        ${lines}
        return ${result};
      })()`);
    const signIn = `await gatehouse.signIn({ email: '${member.email}', password: '${PASSWORD}' });`;
    expect(await follow(`${signIn}\n${settings}`, 'added')).toMatchObject({ name: 'My laptop' });
    expect(await follow(`await gatehouse.signOut();\n${autofill}`, 'session')).toMatchObject({
      userId: member.id,
    });
    expect(await follow(`await gatehouse.signOut();\n${button}`, 'gatehouse.token')).toMatch(/^eyJ/);
  });

  it('sign in to a session in a cookie, which is refreshed and ended', async () => {
    await using world = await start({ isInCookie: true });
    const { run, member, service } = world;
    await run('passkeys.addPasskey(gatehouse)');
    await run('gatehouse.signOut()');
    // Another port of the same host is the same site.
    const url = service.url.replace('127.0.0.1', 'localhost');
    await run(`(() => {
      window.page = createMainClient({ url: '${url}', session: 'cookie' });
      window.KEY = 'gatehouse.session ${url}';
    })()`);
    expect(await run('passkeys.signInWithPasskey(page)')).toMatchObject({ userId: member.id, level: 3 });
    expect(await run('[page.token, page.isSignedIn]')).toEqual([null, true]);
    expect(await run('page.api.session.me.query().then(({ member }) => member.id)')).toBe(member.id);
    const cookie = async () => (await world.cookies(url)).find(({ name }) => name === 'gatehouse-dev');
    expect(await cookie()).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(await run('localStorage.getItem(KEY)')).not.toContain((await cookie())?.value);
    await run('page.signOut()');
    expect([await run('page.isSignedIn'), await cookie()]).toEqual([false, undefined]);

    expect(await run('passkeys.autofillPasskey(page)')).toMatchObject({ userId: member.id });
    // As it is past half of its life.
    const kept = { issuedAtMs: Date.now() - 60_000, expiresAtMs: Date.now() + 50_000, signIn: 'a' };
    await run(`localStorage.setItem(KEY, '${JSON.stringify(kept)}')`);
    await run('page.api.session.me.query()');
    await expect
      .poll(() => run('JSON.parse(localStorage.getItem(KEY)).expiresAtMs - Date.now()'))
      .toBeGreaterThan(86_400_000);
    await run('page.signOut()');
    expect(await cookie()).toBeUndefined();
  });

  it('are removed from the browser once the service no longer has them', async () => {
    await using world = await start();
    const { run } = world;
    await run('passkeys.addPasskey(gatehouse)');
    await run(`(async () => {
      const { list } = await gatehouse.api.passkey.list.query();
      await gatehouse.api.passkey.remove.mutate({ passkeyId: list[0].id });
    })()`);
    expect(await world.credentials()).toBe(1);
    expect(await run('passkeys.signInWithPasskey(gatehouse)')).toBe('passkey_unknown');
    await expect.poll(world.credentials).toBe(0);
  });

  it('wait in the autofill with new options, until a button ends it', async () => {
    await using world = await start();
    const { run, devtools, authenticatorId, member } = world;
    await run('passkeys.addPasskey(gatehouse)');
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
    await run(`(() => {
      window.asked = 0;
      const { passkeyOptions, passkey } = gatehouse.api.signIn;
      const counted = { mutate: (input) => (window.asked += 1, passkeyOptions.mutate(input)) };
      const api = { signIn: { passkeyOptions: counted, passkey }, passkey: gatehouse.api.passkey };
      const { adoptSession } = gatehouse;
      window.filled = passkeys.autofillPasskey({ api, adoptSession }, { renewMs: 200 }).then((session) => session ?? 'ended');
    })()`);
    await expect.poll(() => run('window.asked')).toBeGreaterThan(2);
    // A button of the page.
    await run(
      '(() => { window.byButton = passkeys.signInWithPasskey(gatehouse).catch(({ name }) => name); })()',
    );
    expect(await run('window.filled')).toBe('ended');
    await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true });
    // Presence applies to requests that begin afterwards; this one ends the previous request.
    const pressedAgain = await run('passkeys.signInWithPasskey(gatehouse)');
    expect(pressedAgain).toMatchObject({ userId: member.id, methods: ['passkey'] });
    expect(await run('window.byButton')).toBe('AbortError');
  });

  it('are used by a page of a related origin, and by no other', async () => {
    const tls = await selfSigned(['gatehouse.test', 'front.related.test']);
    let front = '';
    let service = '';
    const hosts = createServer(tls, (request, response) => {
      const { host, url = '/' } = { host: request.headers.host, url: request.url };
      const target = host === 'gatehouse.test' ? service : front;
      void fetch(`${target}${url}`).then(async (answer) => {
        const type = answer.headers.get('Content-Type') ?? 'text/plain';
        response.writeHead(answer.status, { 'Content-Type': type }).end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => {
      hosts.listen(0, '127.0.0.1', resolve);
    });
    const { port } = hosts.address() as AddressInfo;
    const related = 'https://front.related.test';
    const here = 'https://gatehouse.test';
    const args = [`--host-resolver-rules=MAP *.test:443 127.0.0.1:${port}`, '--ignore-certificate-errors'];
    const at = async (own: string) => {
      front = own;
      return related;
    };
    for (const isRelated of [true, false]) {
      const origins = isRelated ? `${here},${related}` : here;
      const env = { APP_URL: here, BASE_URL: here, PASSKEY_ORIGINS: origins, CORS_ORIGINS: related };
      await using world = await start({ env, args, at });
      service = world.service.url;
      const answer = await world.service.send('/.well-known/webauthn');
      expect(answer.status).toBe(isRelated ? 200 : 404);
      if (isRelated) expect(await answer.json()).toEqual({ origins: [related] });
      const added = await world.run('passkeys.addPasskey(gatehouse)');
      if (isRelated) {
        expect(added).toMatchObject({ id: expect.any(Number) });
        expect(await world.run('passkeys.signInWithPasskey(gatehouse)')).toMatchObject({ level: 3 });
      } else expect(added).toMatch(/^SecurityError/);
    }
    hosts.closeAllConnections();
    await new Promise((resolve) => hosts.close(resolve));
  });

  it('are unavailable on an IP address', async () => {
    await using world = await start({
      env: { APP_URL: 'http://127.0.0.1:4000', BASE_URL: 'http://127.0.0.1:4000' },
    });
    expect(await world.run('passkeys.signInWithPasskey(gatehouse)')).toBe('passkeys_not_configured');
    expect(await world.run('passkeys.addPasskey(gatehouse)')).toBe('passkeys_not_configured');
  });

  it('work in a browser that cannot parse options from JSON, and take less than 3 kB', async () => {
    await using world = await start();
    const { run, member } = world;
    await run(`(() => {
      delete PublicKeyCredential.parseCreationOptionsFromJSON;
      delete PublicKeyCredential.parseRequestOptionsFromJSON;
      PublicKeyCredential.prototype.toJSON = () => { throw new TypeError('Illegal invocation'); };
    })()`);
    expect(await run('passkeys.addPasskey(gatehouse)')).toMatchObject({ id: expect.any(Number) });
    expect(await run('passkeys.signInWithPasskey(gatehouse)')).toMatchObject({ userId: member.id, level: 3 });
    const gzippedBytes = await gzippedPasskeys();
    printMeasurements('the passkeys of the client in a bundle', { gzippedBytes });
    expect(gzippedBytes).toBeLessThan(3_000);
  });
});

/** A key and a certificate for these hosts. */
async function selfSigned(hosts: readonly string[]): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = [
    '-subj',
    '/CN=gatehouse.test',
    '-addext',
    `subjectAltName=${hosts.map((host) => `DNS:${host}`).join()}`,
  ];
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await promisify(execFile)('openssl', ['req', '-x509', ...fresh, ...names, '-keyout', key, '-out', cert]);
  const pair = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return pair;
}
