import { createServer } from 'node:http';
import { createApp } from '@gatehouse/api-main/app';
import { developmentEnvironment, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const CREDENTIALS = { email: 'owner@acme.test', password: 'Lantern-Harbor-42' };

/** Runs in a page: calls the service, and returns the status or that the browser blocked the call. */
const CALL = `async ([url, method, headers, body]) => {
  try {
    const response = await fetch(url, { method, headers, body, credentials: 'include' });
    return response.status;
  } catch {
    return 'blocked';
  }
}`;

/** A page of another site, with a form that posts to an address. */
async function startForeignPage() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Foreign</title><form method="post"><button>Go</button></form>');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    // Another site than that of the service, which is at 127.0.0.1.
    url: `http://localhost:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a session in a cookie, in a browser', () => {
  it('serves pages of the service, and no form, fetch, image or navigation of other sites', async () => {
    const env = developmentEnvironment();
    await using service = await startService(createApp, { dialect, application: 'web', env });
    await using foreign = await startForeignPage();
    await using browser = await openBrowser();
    const own = await browser.context.newPage();
    await own.goto(`${service.url}/docs`);
    const json = { 'content-type': 'application/json' };
    const client = { 'x-gatehouse-client': 'cookie' };
    const ask = (page: typeof own, path: string, method: string, headers: object, body?: string) =>
      page.evaluate(`(${CALL})(${JSON.stringify([service.url + path, method, headers, body])})`);
    const signIn = JSON.stringify(CREDENTIALS);
    expect(await ask(own, '/v1/signIn/password', 'POST', { ...json, ...client }, signIn)).toBe(200);
    expect(await ask(own, '/auth/me', 'GET', client)).toBe(200);
    expect(await ask(own, '/auth/me', 'GET', {})).toBe(403);
    expect(await own.evaluate('document.cookie')).toBe('');
    const [cookie] = await browser.context.cookies(service.url);
    expect(cookie).toMatchObject({ name: 'gatehouse-dev', httpOnly: true, sameSite: 'Lax', path: '/' });

    const page = await browser.context.newPage();
    await page.goto(foreign.url);
    expect(await ask(page, '/auth/me', 'GET', client)).toBe('blocked');
    expect(await ask(page, '/v1/session/end', 'POST', { ...json, ...client }, '{}')).toBe('blocked');
    expect(await ask(page, '/v1/session/end', 'POST', { 'content-type': 'text/plain' }, '{}')).toBe(
      'blocked',
    );
    expect(await ask(page, '/v1/signIn/password', 'POST', { ...json, ...client }, signIn)).toBe('blocked');
    for (const path of ['/auth/logout', '/v1/session/end', '/trpc/session.end', '/v1/signIn/password']) {
      await page.goto(foreign.url);
      await page.evaluate(`document.forms[0].action = ${JSON.stringify(service.url + path)}`);
      const [response] = await Promise.all([
        page.waitForResponse((answer) => answer.url() === service.url + path),
        page.click('button'),
      ]);
      expect([path, response.status() >= 400]).toEqual([path, true]);
    }
    // The browser sends the cookie with none of these requests, and the service would not accept it.
    await page.goto(foreign.url);
    for (const path of ['/auth/logout', '/v1/session/end', '/trpc/session.end', '/v1/signIn/password']) {
      await page.evaluate(`new Promise((resolve) => {
        const image = new Image();
        image.onload = image.onerror = resolve;
        image.src = ${JSON.stringify(service.url + path)};
      })`);
    }
    for (const path of ['/auth/me', '/trpc/session.me', '/v1/session/me']) {
      const response = await page.goto(service.url + path);
      expect([path, response?.status()]).toEqual([path, 403]);
    }
    const [kept] = await browser.context.cookies(service.url);
    expect(kept?.value).toBe(cookie?.value);
    expect(await ask(own, '/auth/me', 'GET', client)).toBe(200);
    expect(await ask(own, '/auth/logout', 'POST', client)).toBe(200);
    expect(await browser.context.cookies(service.url)).toEqual([]);
  });
});
