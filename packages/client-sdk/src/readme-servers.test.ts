// @module-tag slow

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
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

/** Calls the hook and the page for SvelteKit as it does. */
const PAGES = `
import { handle } from './hooks.server';
import { actions, load } from './page.server';

const kept = new Map<string, string>();
const cookies = {
  get: (name: string) => kept.get(name),
  set: (name: string, value: string, { maxAge }: { maxAge?: number }) => void (maxAge === 0 ? kept.delete(name) : kept.set(name, value)),
};
async function say(run: (event: never) => unknown, fields?: Record<string, string>): Promise<void> {
  const request = new Request('http://front.test/', fields && { method: 'POST', body: new URLSearchParams(fields) });
  const event = { cookies, locals: {}, request, getClientAddress: () => '192.0.2.1' } as never;
  const resolve = (async (given: never) => run(given)) as never;
  console.log(JSON.stringify(await Promise.resolve(handle({ event, resolve })).catch((left: unknown) => left)));
}

const email = 'owner@acme.test';
const { signIn, signOut } = actions as Record<string, (event: never) => unknown>;
await say(load);
await say(signIn!, { email, password: 'wrong' });
await say(signIn!, { email, password: 'Lantern-Harbor-42' });
await say(load);
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

it('the hook and the page for SvelteKit of the README sign in and out', { timeout: 60_000 }, async () => {
  await using packed = await installPackedClient();
  await using service = await startService(createApp, { dialect: 'libsql', application: 'web' });
  await packed.link('kit', '@sveltejs/kit');
  // SvelteKit makes this module while it builds.
  await mkdir(join(packed.folder, 'kit/node_modules/$app'));
  await packed.write('kit/node_modules/$app/package.json', '{ "exports": { "./env": "./env.cjs" } }');
  await packed.write('kit/node_modules/$app/env.cjs', 'exports.building = false;');
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
    { status: 400, data: { email: 'owner@acme.test', message: expect.any(String) } },
    { status: 303, location: '/' },
    { username: 'owner.acme', asksCode: false },
    { status: 303, location: '/' },
    { username: null, asksCode: false },
  ]);
});
