import { describe, expect, inject, it } from 'vitest';
import { openConsole } from './test/open-console.js';

describe('the console at another host name of the service', () => {
  it('redirects to its public address, as the old address of the enrollment does', async () => {
    await using console = await openConsole(inject('dialect'));
    const { page, at } = console;
    const { origin } = new URL(at(''));
    for (const path of ['/console/members?search=birch', '/enrol']) {
      await page.goto(`${origin.replace('localhost', '127.0.0.1')}${path}`);
      await page.waitForURL((url) => url.origin === origin);
      await page.locator('h1').first().waitFor();
    }
    const signIn = `${origin}/console/sign-in?next=%2Fconsole%2Fenrol`;
    await page.waitForURL(signIn);
    expect(page.url()).toBe(signIn);
  });
});
