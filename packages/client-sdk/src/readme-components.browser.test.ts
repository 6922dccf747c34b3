import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { findFreePort, signIn } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { build, preview } from 'vite';
import { expect, it } from 'vitest';
import { installPackedClient } from './test/install-packed-client.js';
import { EXAMPLES, vueComponent } from './test/readme-examples.js';

/** Shows the component that the path names. */
const PAGE = `
import { createMainClient, localStore } from '@gatehouse/client-sdk';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp } from 'vue';

window.invoices = (await import('./invoices')).invoices;
window.client = createMainClient({ url: location.origin + '/gatehouse', store: localStore() });
const place = document.body.appendChild(document.createElement('main'));
const path = location.pathname;
if (path === '/vue') createApp((await import('./sign-in')).default).mount(place);
else {
  const { App } = path === '/hooks' ? await import('./hooks') : await import('./members');
  createRoot(place).render(createElement(App));
}
`;

/** A front end of the components, with the service behind `/gatehouse`, and an API of its own at another origin. */
async function start() {
  const world = await startFactorWorld({}, 'libsql');
  const root = await signIn(world.admin, 'root@gatehouse.test');
  const api = { origin: 'https://api.example.com', name: 'Invoices', ttlSeconds: 120 };
  expect((await world.admin.send('/v1/resource/save', { token: root.token, body: api })).status).toBe(200);
  const packed = await installPackedClient();
  for (const name of ['react', 'react-dom', '@tanstack/react-query', 'vue']) await packed.link('', name);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx" } }',
    'index.html':
      '<!doctype html><title>Front end</title><body><script type="module" src="/page.ts"></script>',
    'page.ts': PAGE,
    'hooks.tsx': EXAMPLES['hooks.tsx'],
    'members.tsx': EXAMPLES['members.tsx'].replace('http://127.0.0.1:4000', `${url}/gatehouse`),
    'invoices.ts': EXAMPLES['own-api/page.ts'].replace('https://gatehouse.example.com', `${url}/gatehouse`),
    'use-session.ts': EXAMPLES['vue/use-session.ts'],
    'sign-in.ts': vueComponent(),
  };
  for (const [name, text] of Object.entries(files)) await packed.write(name, text);
  const given = { root: packed.folder, configFile: false, logLevel: 'error' } as const;
  await build(given);
  const proxy = {
    '/gatehouse': { target: world.main.url, rewrite: (path: string) => path.replace('/gatehouse', '') },
  };
  const server = await preview({ ...given, preview: { host: '127.0.0.1', port, strictPort: true, proxy } });
  return {
    world,
    url,
    async [Symbol.asyncDispose]() {
      await server.close();
      await packed[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

it('the components of the README sign in, in two steps too, show who is signed in and who is there, call an API, and sign out', async () => {
  await using front = await start();
  await using browser = await openBrowser();
  const page = await browser.context.newPage();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const sees = (text: string | RegExp) => page.getByText(text).waitFor();
  const enter = async (email: string, password: string) => {
    await page.getByPlaceholder('E-mail address').fill(email);
    await page.getByPlaceholder('Password').fill(password);
    await press('Sign in');
  };

  const member = await front.world.enrolled();
  await page.goto(`${front.url}/vue`);
  await enter(member.email, 'wrong');
  await sees('The email or the password is wrong.');
  await enter(member.email, 'Lantern-Harbor-42');
  await page.getByPlaceholder('Code of your app').fill(member.code());
  await press('Sign in');
  await sees(/^Hello, /);
  await press('Sign out');
  await enter('owner@acme.test', 'Lantern-Harbor-42');
  await sees('Hello, owner.acme');
  await page.route('https://api.example.com/invoices', async (route) => {
    const body = await route.request().headerValue('authorization');
    await route.fulfill({ headers: { 'access-control-allow-origin': front.url }, body: body ?? '' });
  });
  const sent = await page.evaluate('invoices(1).then((answer) => answer.text())');
  expect(sent).toMatch(/^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/);

  await page.goto(`${front.url}/hooks`);
  await sees(/^owner\.acme, .+ of Acme Studio$/);
  await page.getByRole('button', { name: 'Invite' }).waitFor();
  await press('Birch & Co');
  await sees(/^owner\.acme, .+ of Birch & Co$/);
  await press('Sign out');
  await sees('Please sign in.');

  await page.goto(`${front.url}/members`);
  await sees('Please sign in.');
  await page.evaluate("client.signIn({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' })");
  await page.reload();
  await expect.poll(() => page.getByRole('listitem').allTextContents()).toContain('owner.acme');
});
