// @module-tag slow

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { blockOf, findFreePort, insertTestMember, startExample } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startOauthWorld } from '../../test/oauth-world.js';

const EXAMPLE = fileURLToPath(new URL('../../../../../examples/express-sign-in', import.meta.url));

/** The services at the address that they name, and the example's app at another. */
async function start() {
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const world = await startOauthWorld(Date.now, { APP_URL: issuer, BASE_URL: issuer }, port);
  const own = await findFreePort();
  const address = `http://127.0.0.1:${own}`;
  const { clientId, secret } = await world.application({
    redirectUris: [`${address}/callback`],
    postLogoutRedirectUris: [address],
  });
  const commands = blockOf('examples/express-sign-in/README.md', 'npm start')
    .replace('…', clientId)
    .replace('…', secret);
  // What `npm start` of the last line runs, with the variables before it.
  const [start = '', variables = ''] = /^(.*) npm start$/m.exec(commands) ?? [];
  expect(start).not.toBe('');
  const { scripts } = JSON.parse(await readFile(`${EXAMPLE}/package.json`, 'utf8')) as {
    scripts: { start: string };
  };
  expect(scripts.start).toBe('tsx server.ts');
  const env = { ISSUER: issuer, PORT: String(own), ...parseEnv(variables.replaceAll(' ', '\n')) };
  const app = startExample(EXAMPLE, ['server.ts'], env);
  await app.prints(/Open/);
  let cookie = '';
  return {
    world,
    /** A page of the app, in the browser of one person. */
    async open(path: string) {
      const answer = await fetch(new URL(path, address), { redirect: 'manual', headers: { cookie } });
      cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
      return { to: answer.headers.get('location') ?? '', status: answer.status, text: await answer.text() };
    },
    address,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

describe('the example of an Express app', { timeout: 120_000 }, () => {
  it('signs a person in, and is told at once that they removed it', async () => {
    await using started = await start();
    const { address, open, world } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    expect((await open('/')).text).toContain('Sign in');
    const begun = await open('/login');
    const browser = world.browser(member);
    const asked = await browser.visit(begun.to);
    expect(asked.page).toContain('Let Wiki use your account?');
    const agreed = await browser.visit(asked.url, {});
    expect(agreed.url).toContain(`${address}/callback?code=`);
    expect((await open(agreed.url)).to).toBe('/');
    expect((await open('/')).text).toContain(member.email);

    const list = await world.main.send('/v1/consent/applications', { token: member.token });
    const { data } = (await list.json()) as { data: { id: number }[] };
    const withdrawal = { token: member.token, body: { consentId: data[0]?.id } };
    expect((await world.main.send('/v1/consent/withdraw', withdrawal)).status).toBe(200);
    expect((await open('/')).text).toContain('You are signed out.');
  });

  it('accepts no answer to a sign-in that another browser began', async () => {
    await using started = await start();
    const { open, world } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true });
    const begun = await open('/login');
    const browser = world.browser(member);
    const agreed = await browser.visit((await browser.visit(begun.to)).url, {});
    // The victim has begun one, too.
    await open('/login');
    expect((await open(agreed.url)).status).toBe(500);
    expect((await open('/')).text).toContain('Sign in');
  });

  it('offers the sign-in again to a person who chose Cancel', async () => {
    await using started = await start();
    const { open, world } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true });
    const browser = world.browser(member);
    const { url } = await browser.visit((await open('/login')).to);
    const refused = await browser.visit(`${url}/abort`, {});
    expect(refused.url).toContain('error=access_denied');
    expect((await open(refused.url)).to).toBe('/');
    expect((await open('/')).text).toContain('Sign in');
  });

  it('signs a person out of the service, and receives them back', async () => {
    await using started = await start();
    const { address, open, world } = started;
    const member = await insertTestMember(world.db, { isConfirmed: true });
    const browser = world.browser(member);
    const agreed = await browser.visit((await browser.visit((await open('/login')).to)).url, {});
    await open(agreed.url);
    const left = await open('/logout');
    expect((await browser.visit(left.to)).url.replace(/\/$/, '')).toBe(address);
    expect((await world.main.send('/auth/me', { token: member.token })).status).toBe(401);
    expect((await open('/')).text).toContain('Sign in');
  });
});
