import { listNewestMails } from '@gatehouse/db/queries/list-mails';
import { type RunningService, signIn, signInByPassword } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { partnerClient } from '../test/partner-client.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';
import { callRest } from '../test/transport-call.js';

const dialect = inject('dialect');
const start = () => startSocialWorld({ dialect, env: { NODE_ENV: 'development' } });

const PASSWORD = 'Copper-Anchor-77';
const STORED = 'zoe@xn--bcher-kva.example';
const SPELLINGS = [
  'zoe@bücher.example',
  'zoe@xn--bcher-kva.example',
  'ZOE@BÜCHER.EXAMPLE',
  'zoe@bu\u0308cher.example',
  'ｚｏｅ＠ｂｕ\u0308ｃｈｅｒ．ｅｘａｍｐｌｅ',
  'zoe@XN--BCHER-KVA.example',
];

const register = (service: RunningService, email: string, username = 'someone') =>
  service.send('/register', { body: { username, password: PASSWORD, email } });
const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? response.status;
const recipients = async ({ database }: RunningService) =>
  (await listNewestMails(database, 50)).map(({ kind, recipient }) => [kind, recipient]);

describe('the spellings of one address', () => {
  it.each(SPELLINGS)('name one person when %j is registered', async (registered) => {
    await using world = await start();
    const { service } = world;
    const answer = (await (await register(service, registered)).json()) as { token: string; userId: number };
    expect(await recipients(service)).toEqual([['activation', STORED]]);
    const me = await service.send('/auth/me', { token: answer.token });
    expect(await me.json()).toMatchObject({ member: { email: STORED, sid: STORED } });
    for (const [index, spelling] of SPELLINGS.entries()) {
      expect(await signInByPassword(service, spelling, PASSWORD)).toMatchObject({ userId: answer.userId });
      expect([spelling, await codeOf(await register(service, spelling, `other-${index}`))]).toEqual([
        spelling,
        'email_taken',
      ]);
    }
    for (const email of SPELLINGS.slice(0, 2)) await service.send('/forgotPassword', { body: { email } });
    expect((await recipients(service)).slice(0, 2)).toEqual([
      ['passwordReset', STORED],
      ['passwordReset', STORED],
    ]);
  });

  it('share one invitation', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await signIn(service, 'owner@acme.test');
    const caller = { token: owner.token, accountId: owner.accountId ?? 0 };
    const ids = new Set<unknown>();
    for (const email of SPELLINGS.slice(0, 4)) {
      const input = { email, roleType: 5 };
      const verdict = await callRest(service, caller, {
        procedure: 'invitation.create',
        type: 'mutation',
        input,
        path: '/v1/invitation/create',
        body: input,
      });
      const { data } = ('fields' in verdict ? verdict.fields : {}) as {
        data?: { id: number; email: string };
      };
      expect(data?.email).toBe(STORED);
      ids.add(data?.id);
    }
    expect(ids.size).toBe(1);
  });
});

describe('an address whose canonical form is another address', () => {
  it('is treated as that other address: mails go to its mailbox, and no second member is created', async () => {
    await using world = await start();
    const { service } = world;
    expect((await register(service, 'joſe@acme.example')).status).toBe(200);
    expect(await recipients(service)).toEqual([['activation', 'jose@acme.example']]);
    expect(await codeOf(await register(service, 'jose@acme.example', 'other'))).toBe('email_taken');
  });

  it.each(['google', 'github', 'facebook', 'linkedin'])(
    'is not accepted as an address from %s, which joins no member and takes no name',
    async (provider) => {
      await using world = await start();
      const { service } = world;
      const { userId } = (await (await register(service, 'jose@acme.example')).json()) as { userId: number };
      const { members } = service.database.tables;
      const planter = { id: 'planter', email: 'joſe@acme.example', isEmailVerified: true };
      const planted = await socialSession(service, provider, planter);
      expect(planted.userId).not.toBe(userId);
      const rows = await service.database.select().from(members);
      expect(rows.find(({ id }) => id === planted.userId)).toMatchObject({
        email: null,
        emailKey: null,
        emailConfirmedAtMs: null,
      });
      expect((await recipients(service)).filter(([, to]) => to !== 'jose@acme.example')).toEqual([]);
    },
  );

  it('still lets the owner sign in to their own member through the provider', async () => {
    await using world = await start();
    const { service } = world;
    await socialSession(service, 'google', {
      id: 'planter',
      email: 'joſe@acme.example',
      isEmailVerified: true,
    });
    const owner = { id: 'owner', email: 'jose@acme.example', isEmailVerified: true };
    const mine = await socialSession(service, 'google', owner);
    const { members } = service.database.tables;
    const rows = await service.database.select().from(members);
    expect(rows.filter(({ emailKey }) => emailKey === 'jose@acme.example')).toMatchObject([
      { id: mine.userId, email: 'jose@acme.example' },
    ]);
    const end = await createSocialBrowser(service).visit('/social/google', { person: owner });
    expect(end.searchParams.get('error')).toBeNull();
  });

  it('is not accepted as an address from a partner', async () => {
    await using world = await start();
    const { service } = world;
    const partner = await partnerClient(service);
    const send = async (path: string, body: object) =>
      codeOf(await service.send(`/partnerAuth/${path}`, { bearer: partner.token, body }));
    const person = { firstName: 'Jose', lastName: 'Planter' };
    expect(await send('registerUser', { ...person, email: 'joſe@acme.example' })).toBe('invalid_input');
    expect(await send('registerUser', { ...person, email: 'jose＠acme.example' })).toBe('invalid_input');
    await partner.register({ email: 'Jose@bücher.example' });
    expect(await send('singleSignOn', { email: 'joſe@bücher.example' })).toBe('not_found');
    expect(await send('singleSignOn', { email: 'jose@xn--bcher-kva.example' })).toBe(200);
  });
});

describe('an address without a normal form', () => {
  it.each(['jose@xn--a.example', 'jose@xn--bcher-kvb.example', 'jo\u0378se@acme.example', 'jose@1א.example'])(
    '%j is refused',
    async (email) => {
      await using world = await start();
      expect(await codeOf(await register(world.service, email))).toBe('invalid_input');
    },
  );
});
