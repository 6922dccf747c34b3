// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { blockOf, startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { FRAMEWORKS } from './test/frameworks.js';
import { installPackedClient } from './test/install-packed-client.js';
import { EXAMPLES } from './test/readme-examples.js';

const run = promisify(execFile);
const TSX = createRequire(new URL('../../../package.json', import.meta.url)).resolve('tsx/cli');

/** Calls the routes for React Router as it does. */
const ROUTES = `
import { action as signOut, loader as home } from './home';
import { action as signIn, loader as form } from './sign-in';

function args(cookie: string, fields?: Record<string, string>) {
  const sent = fields && { method: 'POST', body: new URLSearchParams(fields) };
  return { request: new Request('http://front.test/', { headers: { cookie }, ...sent }), params: {}, context: {} } as never;
}
const thrown = (call: Promise<unknown>) => call.catch((response) => response) as Promise<Response>;
const say = (what: unknown) => console.log(JSON.stringify(what));
const where = ({ status, headers }: Response) => [status, headers.get('location')];

say(form(args('')));
const email = 'owner@acme.test';
say((await signIn(args('', { email, password: 'wrong' }))).data);
const signedIn = await thrown(signIn(args('', { email, password: 'Lantern-Harbor-42' })));
say(where(signedIn));
const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
say((await home(args(cookie))).data);
say(where(await thrown(signOut(args(cookie, {})))));
say(where(await thrown(home(args(cookie)))));
`;

/** Calls the hook and the page for SvelteKit, and renders its component, as it does. */
const PAGES = `
import { render } from 'svelte/server';
import { handle } from './hooks.server';
import Page from './page.js';
import { actions, load } from './page.server';

const kept = new Map<string, string>();
const cookies = {
  get: (name: string) => kept.get(name),
  set: (name: string, value: string, { maxAge }: { maxAge?: number }) => void (maxAge === 0 ? kept.delete(name) : kept.set(name, value)),
};
async function say(run: (event: never) => unknown, fields?: Record<string, string>): Promise<any> {
  const request = new Request('http://front.test/', fields && { method: 'POST', body: new URLSearchParams(fields) });
  const event = { cookies, locals: {}, request, getClientAddress: () => '192.0.2.1' } as never;
  const resolve = (async (given: never) => run(given)) as never;
  const said = await Promise.resolve(handle({ event, resolve })).catch((left: unknown) => left);
  console.log(JSON.stringify(said));
  return said;
}
const show = (data: unknown, form?: unknown) => console.log(JSON.stringify(render(Page, { props: { data, form } }).body));

const email = 'owner@acme.test';
const { signIn, signOut } = actions as Record<string, (event: never) => unknown>;
const nobody = await say(load);
show(nobody);
show({ ...nobody, asksCode: true });
show(nobody, (await say(signIn!, { email, password: 'wrong' })).data);
await say(signIn!, { email, password: 'Lantern-Harbor-42' });
show(await say(load));
await say(signOut!, {});
await say(load);
`;

it('the routes for React Router of the README sign in and out', { timeout: 60_000 }, async () => {
  await using packed = await installPackedClient();
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  await packed.link('routes', 'react-router');
  for (const name of ['gatehouse.server.ts', 'sign-in.tsx', 'home.tsx'] as const)
    await packed.write(`routes/${name}`, EXAMPLES[`reactrouter/${name}`]);
  await packed.write('routes/program.ts', ROUTES);
  const { stdout } = await run(process.execPath, [TSX, 'program.ts'], {
    cwd: join(packed.folder, 'routes'),
    env: { GATEHOUSE_URL: service.url },
  });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { asksCode: false },
    { email: 'owner@acme.test', message: expect.any(String) },
    [302, '/'],
    { username: 'owner.acme' },
    [302, '/sign-in'],
    [302, '/sign-in'],
  ]);
});

it('the hook, the page and the component for SvelteKit of the README sign in and out', {
  timeout: 60_000,
}, async () => {
  await using packed = await installPackedClient();
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  await packed.link('kit', '@sveltejs/kit');
  // SvelteKit makes this module while it builds.
  await mkdir(join(packed.folder, 'kit/node_modules/$app'));
  await packed.write('kit/node_modules/$app/package.json', '{ "exports": { "./env": "./env.cjs" } }');
  await packed.write('kit/node_modules/$app/env.cjs', 'exports.building = false;');
  const kit = createRequire(join(await realpath(join(FRAMEWORKS, '@sveltejs/kit')), 'package.json'));
  await symlink(dirname(kit.resolve('svelte/package.json')), join(packed.folder, 'kit/node_modules/svelte'));
  const { compile } = kit('svelte/compiler') as {
    compile: (text: string, options: object) => { js: { code: string } };
  };
  const component = blockOf('packages/client-sdk/README.md', '<script>');
  await packed.write('kit/page.js', compile(component, { generate: 'server' }).js.code);
  for (const name of ['hooks.server.ts', 'page.server.ts'] as const)
    await packed.write(
      `kit/${name}`,
      EXAMPLES[`sveltekit/${name}`].replace('http://127.0.0.1:4000', service.url),
    );
  await packed.write('kit/program.ts', PAGES);
  const { stdout } = await run(process.execPath, [TSX, 'program.ts'], { cwd: join(packed.folder, 'kit') });
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual([
    { username: null, asksCode: false },
    expect.stringContaining('name="password"'),
    expect.stringMatching(/^(?![\s\S]*name="password")[\s\S]*name="code"/),
    { status: 400, data: { email: 'owner@acme.test', message: expect.any(String) } },
    expect.stringContaining('value="owner@acme.test"'),
    { status: 303, location: '/' },
    { username: 'owner.acme', asksCode: false },
    expect.stringContaining('<h1>Hello, owner.acme</h1>'),
    { status: 303, location: '/' },
    { username: null, asksCode: false },
  ]);
});
