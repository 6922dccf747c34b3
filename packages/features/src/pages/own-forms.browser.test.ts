import { createServer } from 'node:http';
import { createApp } from '@gatehouse/api-main/app';
import { developmentEnvironment, findFreePort, readOutbox, startService } from '@gatehouse/testkit';
import { openBrowser, type TestBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const EMAIL = 'owner@acme.test';

type Page = Awaited<ReturnType<TestBrowser['context']['newPage']>>;

/** Serves one page to every request, and keeps the headers of each. */
async function startSite(page: (path: string) => string) {
  const referrers: string[] = [];
  const server = createServer((request, response) => {
    if (request.headers.referer !== undefined) referrers.push(request.headers.referer);
    response.setHeader('Content-Type', 'text/html');
    response.end(page(request.url ?? '/'));
  });
  const port = await findFreePort();
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port,
    referrers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A service under a name that browsers trust, and send Fetch Metadata to, or under one that they do not. */
async function start(host: string) {
  const port = await findFreePort();
  const url = `http://${host}:${port}`;
  const env = { ...developmentEnvironment(url), PORTAL: 'off' };
  const service = await startService(createApp, { dialect, application: 'web', port, env });
  const browser = await openBrowser({ args: ['--host-resolver-rules=MAP *.example 127.0.0.1'] });
  return {
    url,
    service,
    page: await browser.context.newPage(),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Presses the only button, and returns how the form arrived. */
async function press(page: Page, inFrame = false) {
  const arrival = page.waitForResponse((response) => response.request().method() === 'POST');
  const button = inFrame ? page.frameLocator('iframe').getByRole('button') : page.getByRole('button');
  await button.click();
  const response = await arrival;
  const headers = await response.request().allHeaders();
  return [response.status(), headers['origin'], headers['sec-fetch-site']];
}

describe.each([
  ['that browsers send Fetch Metadata to', 'localhost', 'same-origin', 'cross-site'],
  ['without Fetch Metadata', 'gatehouse.example', undefined, undefined],
])('a form of our own at a host %s', (_what, host, own, foreign) => {
  it('is accepted from our page, and refused from a sandboxed frame and from a page without an origin', async () => {
    await using world = await start(host);
    const { url, page, service } = world;
    const form = `<form method="post" action="${url}/forgot"><input name="email" value="${EMAIL}"><button>Go</button></form>`;
    await using site = await startSite(
      () => `<iframe sandbox="allow-forms" srcdoc="${form.replaceAll('"', '&quot;')}"></iframe>`,
    );
    await page.goto(`http://evil.example:${site.port}/`);
    expect(await press(page, true)).toEqual([403, 'null', foreign]);
    await page.goto(`data:text/html,${encodeURIComponent(form)}`);
    expect(await press(page)).toEqual([403, 'null', foreign]);
    expect(await readOutbox(service)).toEqual([]);

    await page.goto(`${url}/forgot`);
    await page.getByLabel('Email address').fill(EMAIL);
    expect(await press(page)).toEqual([200, url, own]);
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    expect(await readOutbox(service)).toMatchObject([{ kind: 'passwordReset', to: EMAIL }]);
  });
});

it('a page with a token in its address sends no referrer to other sites', async () => {
  await using world = await start('gatehouse.example');
  const { url, page, service } = world;
  await using site = await startSite(() => '<p>Elsewhere</p>');
  await service.send('/forgotPassword', { body: { email: EMAIL } });
  const token = (await readOutbox(service))[0]?.token ?? '';
  await page.goto(`${url}/reset?${new URLSearchParams({ token }).toString()}`);
  await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
  const there = `http://elsewhere.example:${site.port}/`;
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('a'), { href: ${JSON.stringify(there)}, textContent: 'Away' }))`,
  );
  await page.getByRole('link', { name: 'Away' }).click();
  await page.getByText('Elsewhere').waitFor();
  expect(site.referrers).toEqual([]);
});
