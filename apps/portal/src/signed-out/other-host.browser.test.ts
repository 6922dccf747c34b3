import { request as ask } from 'node:http';
import { providerEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { openPortal, PASSWORD } from '../test/open-portal.js';
import { addMember, mailTo } from '../test/people.js';
import { startProxy } from '../test/start-proxy.js';

const dialect = inject('dialect');

describe('the portal at another host name of the service', () => {
  it('redirects to its public address, with path, query and fragment, and signs in with Google there', async () => {
    await using simulator = await startProviderSimulator();
    await using portal = await openPortal(dialect, providerEnvironment(simulator.url));
    const { page, at } = portal;
    const typed = (screen: string) => at(screen).replace('localhost', '127.0.0.1');
    await page.goto(typed('sign-in?next=%2Fportal%2Fyou%2Fsecurity'));
    await page.waitForURL(at('sign-in?next=%2Fportal%2Fyou%2Fsecurity'));
    await page.getByRole('button', { name: 'Google', exact: true }).click();
    await page.getByLabel('E-mail address').fill('robin@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(at('you/security'));
    expect(portal.complaints.filter((each) => each.includes('policy'))).toEqual([]);
  });

  it('recognizes every name of the local machine', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    for (const host of ['localhost.', '0.0.0.0', '127.1', '[::ffff:127.0.0.1]', 'my.localhost']) {
      await page.goto(at('forgot?x=1#y').replace('localhost', host));
      await page.waitForURL((url) => url.hostname === 'localhost');
      expect(page.url()).toBe(at('forgot?x=1#y'));
    }
  });

  it('redirects the links of mails and the pages without a screen as well', async () => {
    await using portal = await openPortal(dialect);
    const { page, at } = portal;
    const { email } = await addMember(portal);
    await portal.service.send('/forgotPassword', { body: { email } });
    const { link } = await mailTo(portal, email, 'passwordReset');
    await page.goto(link.replace('localhost', '127.0.0.1'));
    await page.waitForURL(at('reset'));
    await page.getByLabel('New password').fill('Copper-Meadow-17');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password has been changed' }).waitFor();
    const { origin } = new URL(at(''));
    for (const path of ['/forgot', '/signIn', '/socialAuth', '/register']) {
      await page.goto(`${origin.replace('localhost', '127.0.0.1')}${path}`);
      await page.waitForURL((url) => url.origin === origin && url.pathname.startsWith('/portal/'));
      expect(page.url()).toContain(at(''));
    }
  });

  it('redirects the plain pages too when there is no portal', async () => {
    await using portal = await openPortal(dialect, { PORTAL: 'off' });
    const { page, at } = portal;
    const { origin } = new URL(at(''));
    await page.goto(`${origin.replace('localhost', '127.0.0.1')}/forgot?x=1#y`);
    await page.waitForURL(`${origin}/forgot?x=1#y`);
    expect(await page.getByRole('heading').first().textContent()).toBe('Forgot your password?');
  });

  it('does not redirect behind a proxy that names another host, and signs in there', async () => {
    await using simulator = await startProviderSimulator();
    await using proxy = await startProxy((headers) => ({ ...headers, host: 'backend.internal:80' }));
    await using portal = await openPortal(dialect, { ...providerEnvironment(simulator.url), ...proxy.env });
    proxy.leadTo(portal.service.url);
    const { page } = portal;
    await page.goto(`${proxy.url}/portal/sign-in`);
    await page.getByRole('button', { name: 'Google', exact: true }).click();
    await page.getByLabel('E-mail address').fill('robin@rivera.test');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/portal/`);
  });

  it('does not loop when the public address redirects to the other name', async () => {
    await using proxy = await startProxy((headers, port) =>
      headers.host?.startsWith('localhost') === true ? { leadsTo: `http://127.0.0.1:${port}` } : headers,
    );
    await using portal = await openPortal(dialect, proxy.env);
    proxy.leadTo(portal.service.url);
    const { page } = portal;
    await page.goto(`${proxy.url}/portal/forgot`);
    await page.getByLabel('Email').waitFor();
    await page.waitForTimeout(1000);
    const before = proxy.answers();
    await page.waitForTimeout(1000);
    expect(proxy.answers()).toBe(before);
    expect(new URL(page.url()).pathname).toBe('/portal/forgot');
  });

  it('does not redirect to localhost from another machine', async () => {
    await using portal = await openPortal(dialect);
    await using browser = await openBrowser({ args: ['--host-resolver-rules=MAP *.example 127.0.0.1'] });
    const page = await browser.context.newPage();
    const typed = portal.at('sign-in').replace('localhost', 'laptop.example');
    await page.goto(typed);
    await page.getByLabel('Email').waitFor();
    expect(page.url()).toBe(typed);
  });

  it('does not redirect programs, probes and API calls, for any host', async () => {
    await using portal = await openPortal(dialect);
    const asked = async (path: string, host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const url = `${portal.service.url.replace('localhost', '127.0.0.1')}${path}`;
        ask(url, { headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/portal/sign-in', '/forgot'])
      for (const host of ['10.0.0.7:4000', 'backend.internal', '[::1]:80', 'a b', '%'])
        expect([path, host, await asked(path, host)]).toEqual([path, host, 200]);
    expect(await asked('/auth/me', 'backend.internal')).toBe(401);
  });
});

describe('the portal behind a proxy that changes the headers of browsers', () => {
  it('works when the proxy strips Origin and Sec-Fetch-Site from reads', async () => {
    await using proxy = await startProxy((headers) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-fetch-'))),
    );
    await using portal = await openPortal(dialect, proxy.env);
    proxy.leadTo(portal.service.url);
    const { page } = portal;
    const { email } = await addMember(portal);
    await page.goto(`${proxy.url}/portal/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/portal/`);
  });

  it('says why it shows nothing when the service mistakes its reads for those of another site', async () => {
    let site = 'same-origin';
    await using proxy = await startProxy((headers) => ({ ...headers, 'sec-fetch-site': site }));
    await using portal = await openPortal(dialect, proxy.env);
    proxy.leadTo(portal.service.url);
    const { page } = portal;
    const { email } = await addMember(portal);
    await page.goto(`${proxy.url}/portal/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    site = 'cross-site';
    await page.goto(`${proxy.url}/portal/`);
    await page.getByText("The service couldn't verify that this page is its own.").waitFor();
    site = 'same-origin';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /^Welcome, / }).waitFor();
    expect(page.url()).toBe(`${proxy.url}/portal/`);
  });
});
