import { createApp } from '@gatehouse/api-main/app';
import { developmentEnvironment, readOutbox, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { servePasskeyPage } from './test/serve-passkey-page.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';
const owner = JSON.stringify({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' });

it('a client identifies the browser to the service by one id for all clients, which outlives a reload and a sign-out', async () => {
  await using front = await servePasskeyPage();
  const origins = { APP_URL: front.url, CORS_ORIGINS: front.url, COOKIE_ORIGINS: front.url };
  const env = { ...developmentEnvironment(), ...origins };
  await using service = await startService(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env,
  });
  await using browser = await openBrowser();
  const page = await browser.context.newPage();
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.headers()['x-device-id']);
  });
  const url = service.url.replace('127.0.0.1', 'localhost');
  for (const session of ['token', 'cookie']) {
    await page.goto(front.url);
    await page.evaluate(`(async () => {
      const gatehouse = createMainClient({ url: '${url}', session: '${session}' });
      await gatehouse.signIn(${owner});
      await gatehouse.signOut();
    })()`);
  }
  const [id] = sent;
  expect(id).toMatch(/^[\da-f]{32}$/);
  expect(sent).toEqual([id, id, id, id]);

  // By its id the service knows the browser though its name has changed.
  const devtools = await browser.context.newCDPSession(page);
  const notices = async () =>
    (await readOutbox(service)).filter(({ kind }) => kind === 'signInNotice').length;
  for (const [userAgent, options, mails] of [
    [FIREFOX, '', 0],
    [SAFARI, ', deviceId: null', 1],
  ] as const) {
    await devtools.send('Network.setUserAgentOverride', { userAgent });
    await page.evaluate(`createMainClient({ url: '${url}'${options} }).signIn(${owner})`);
    expect([sent.at(-1), await notices()]).toEqual([mails === 0 ? id : undefined, mails]);
  }
});
