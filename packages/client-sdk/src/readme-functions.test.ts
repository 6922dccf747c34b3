// @module-tag slow

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFactorWorld } from '@gatehouse/features/test/factor-world';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { blockOf, startExample } from '@gatehouse/testkit';
import { expect, it } from 'vitest';

/** What the functions find in a page, and the two that the README only declares. */
const PAGE = `
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}
const page = {
  location: { origin: process.env['GATEHOUSE'], href: 'http://front.test/', assign: (to: string) => console.log('leaves for', to) },
  history: { state: null, replaceState() {} },
  localStorage: storage(),
  sessionStorage: storage(),
  addEventListener() {},
  removeEventListener() {},
};
const declared = { keychain: storage(), ask: () => Promise.resolve(process.env['CODE']) };
Object.assign(globalThis, page, declared, { window: page, document: {} });
`;

const PROGRAM = `
import './page.js';
import { memoryStore, createMainClient } from '@gatehouse/client-sdk';
import { handOver, verified } from './accounts.js';
import { buy, isPaidFor } from './billing.js';
import { signIn } from './browser.js';
import { gatehouse } from './cookie.js';
import { arrive, invite, join } from './invitations.js';
import { connect } from './native.js';
import { arrive as finishSocial, signInWithGoogle } from './social.js';
import { signIn as signInInSteps } from './steps.js';

const { GATEHOUSE = '', EMAIL = '', HEIR = '' } = process.env;
const PASSWORD = 'Lantern-Harbor-42';
const say = (name: string, what: unknown) => console.log(name, JSON.stringify(what));

say('wrong', await signIn('owner@acme.test', 'wrong'));
say('browser', await signIn('owner@acme.test', PASSWORD));
say('paid', await isPaidFor());
say('bought', await buy(1, 'team'));
say('invited', await invite(1, 'newcomer@example.org', 3));
const { data } = await (await fetch(GATEHOUSE + '/dev/outbox')).json();
const token = /[?&]token=([\\w.-]+)/.exec(data.find((mail: { to: string }) => mail.to === 'newcomer@example.org').text)?.[1] ?? '';
say('arrived', await arrive(token));
say('joined', await join(token, 'newcomer', 'Lantern-Harbor-43'));
say('steps', await signInInSteps(EMAIL, PASSWORD));
signInWithGoogle();
say('finished', await finishSocial());
const native = connect('device-1');
say('native', [native.isSignedIn, gatehouse.isSignedIn]);
const owner = createMainClient({ url: GATEHOUSE, store: memoryStore() });
await owner.signIn({ email: 'owner@acme.test', password: PASSWORD });
say('verified', await verified(() => Promise.resolve('done'), () => Promise.resolve(PASSWORD)));
await handOver(owner.withAccount(1), Number(HEIR));
say('left', (await owner.withAccount(null).api.session.me.query()).memberships.map(({ accountId }) => accountId));
`;

it('the functions of the README sign in, sell, invite, go on with a second step, and hand an account over', {
  timeout: 60_000,
}, async () => {
  await using simulator = await startProviderSimulator();
  await using world = await startFactorWorld(billingEnvironment(simulator.url), 'libsql');
  const member = await world.enrolled();
  const heir = await world.member({ memberships: { 1: 2 } });
  const guide = (text: string) => blockOf('packages/client-sdk/README.md', text);
  const files = {
    'accounts.ts': guide('ts accounts\n'),
    'billing.ts': guide('ts billing\n'),
    'browser.ts': guide('ts browser\n'),
    'cookie.ts': guide('ts cookie\n'),
    'invitations.ts': guide('ts invitations\n'),
    'native.ts': guide('ts native\n'),
    'social.ts': guide('ts social\n'),
    'steps.ts': guide('ts steps\n'),
    'page.ts': PAGE,
    'program.ts': PROGRAM,
  };
  const folder = await mkdtemp(fileURLToPath(new URL('readme-functions-', import.meta.url)));
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(
        join(folder, name),
        text.replaceAll(
          /http:\/\/(?:127\.0\.0\.1|localhost):4000|https:\/\/api\.example\.com/g,
          world.main.url,
        ),
      );
    await using program = startExample(folder, ['program.ts'], {
      NODE_OPTIONS: '--conditions=@gatehouse/source',
      GATEHOUSE: world.main.url,
      CODE: member.code(),
      EMAIL: member.email,
      HEIR: String(heir.id),
    });
    for (const line of [
      /^wrong "[^"]+"$/m,
      /^browser "You are one of \d+\."$/m,
      /^paid (?:true|false)$/m,
      /^leaves for http:\/\/127\.0\.0\.1:\S+$/m,
      /^bought undefined$/m,
      /^invited "Until \d{4}-\S+\."$/m,
      /^arrived "join"$/m,
      /^joined 1$/m,
      /^steps 2$/m,
      /^leaves for \S+\/social\/google$/m,
      /^finished "There is nothing to finish\."$/m,
      /^native \[false,false\]$/m,
      /^verified "done"$/m,
      /^left \[(?!1\b).*\]$/m,
    ])
      expect(await program.prints(line)).toMatch(line);
  } finally {
    await rm(folder, { recursive: true });
  }
});
