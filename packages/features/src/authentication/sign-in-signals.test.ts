import { hashPassword } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import type { TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FactorWorld, startFactorWorld } from '../test/factor-world.js';

const DAY_MS = 86_400_000;
const LISTED = 'basketball1';
const PROXIED = { TRUSTED_PROXIES: '127.0.0.0/8' };

const outbox = z.object({
  data: z.array(z.object({ to: z.string(), kind: z.string(), subject: z.string(), text: z.string() })),
});

async function mailsTo(world: FactorWorld, to: string, kind: string) {
  const { data } = outbox.parse(await (await world.main.send('/dev/outbox')).json());
  return data.filter((mail) => mail.to === to && mail.kind === kind);
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEWER_FIREFOX = FIREFOX.replaceAll('140.0', '141.0');

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

function signInFrom(
  world: FactorWorld,
  { email }: TestMember,
  {
    address = '192.0.2.1',
    agent = FIREFOX,
    device,
    password = PASSWORD,
    on = world.main,
  }: {
    address?: string;
    agent?: string;
    device?: string;
    password?: string;
    on?: FactorWorld['main'];
  } = {},
) {
  const headers = {
    'x-forwarded-for': address,
    'user-agent': agent,
    ...(device === undefined ? {} : { 'x-device-id': device }),
  };
  return world.call('signIn.password', { email, password }, { on, headers });
}

describe('a sign-in from a device that was not seen for 90 days', () => {
  it('causes one mail, by browser and network, or by the id of the client', async () => {
    await using world = await startFactorWorld(PROXIED);
    const member = await world.member({ withSession: false });
    const told = async () => (await mailsTo(world, member.email, 'signInNotice')).length;
    await signInFrom(world, member);
    expect(await told()).toBe(0);
    await signInFrom(world, member, { agent: NEWER_FIREFOX });
    expect(await told()).toBe(0);
    await signInFrom(world, member, { agent: SAFARI });
    expect(await told()).toBe(1);
    await signInFrom(world, member, { address: '198.51.100.1', device: 'a'.repeat(22) });
    expect(await told()).toBe(2);
    world.wait(2 * DAY_MS);
    await signInFrom(world, member, { address: '203.0.113.1', device: 'a'.repeat(22) });
    expect(await told()).toBe(2);
    const [mail] = await mailsTo(world, member.email, 'signInNotice');
    expect(mail?.subject).toBe('A new device signed in');
    expect(mail?.text).toMatch(/device: (Firefox, Linux|Safari, macOS)/);
  });

  it('causes at most three mails a day, and none at a registration', async () => {
    await using world = await startFactorWorld(PROXIED);
    const member = await world.member({ withSession: false });
    for (const device of ['a', 'b', 'c', 'd', 'e'])
      await signInFrom(world, member, { device: device.repeat(22) });
    expect(await mailsTo(world, member.email, 'signInNotice')).toHaveLength(3);

    const email = 'new.person@example.com';
    const made = await world.main.send('/register', {
      body: { username: 'newperson', email, password: PASSWORD, firstName: 'New', lastName: 'Person' },
      headers: { 'x-forwarded-for': '192.0.2.7', 'user-agent': SAFARI },
    });
    expect(made.status).toBe(200);
    expect(await mailsTo(world, email, 'signInNotice')).toEqual([]);
  });
});

describe('sign-ins of one member from more than five networks in ten minutes', () => {
  it('do not count as recently verified, nor do earlier sessions, and one mail says so', async () => {
    await using world = await startFactorWorld(PROXIED);
    const member = await world.member({ withSession: false });
    const fresh: (number | null)[] = [];
    const tokens: string[] = [];
    const proven = String((await signInFrom(world, member)).data['token']);
    world.wait(1000);
    await world.call('verification.prove', { password: PASSWORD }, { token: proven });
    for (let network = 1; network <= 7; network += 1) {
      const on = network % 2 === 0 ? world.main : world.other;
      const answer = await signInFrom(world, member, { address: `203.0.${network}.1`, on });
      expect(answer.status).toBe(200);
      const token = String(answer.data['token']);
      tokens.push(token);
      const started = await world.call('totp.start', {}, { token, on });
      fresh.push(started.status);
      if (network > 4) expect(started.code).toBe('verification_required');
    }
    expect(fresh).toEqual([200, 200, 200, 200, 403, 403, 403]);
    for (const token of tokens)
      expect((await world.call('totp.start', {}, { token })).code).toBe('verification_required');
    expect((await world.call('totp.start', {}, { token: proven })).status).toBe(200);
    const mails = await mailsTo(world, member.email, 'signInNotice');
    expect(mails.filter(({ subject }) => subject === 'Sign-ins from many networks')).toHaveLength(1);
    const events = await world.db.select().from(world.db.tables.securityEvents);
    expect(events.filter(({ kind }) => kind === 'session.many-networks')).toHaveLength(1);
    world.wait(11 * 60_000);
    const later = await signInFrom(world, member, { address: '203.0.77.1' });
    expect((await world.call('totp.start', {}, { token: String(later.data['token']) })).status).toBe(200);
  });
});

describe('an address from which sign-ins fail for twenty members', () => {
  it('is logged once, across known and unknown names and both nodes', async () => {
    await using world = await startFactorWorld(PROXIED);
    const known = await world.member({ withSession: false });
    const told = () =>
      [...world.main.logLines, ...world.other.logLines]
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ event }) => event === 'login.spraying');
    const fail = (email: string, on: FactorWorld['main']) =>
      world.call(
        'signIn.password',
        { email, password: 'Wrong-Harbor-42' },
        {
          on,
          headers: { 'x-forwarded-for': '198.51.100.9' },
        },
      );
    for (let turn = 0; turn < 3; turn += 1) await fail(known.email, world.main);
    for (let name = 0; name < 18; name += 1)
      await fail(`nobody-${name}@example.com`, name % 2 === 0 ? world.main : world.other);
    expect(told()).toEqual([]);
    await fail('one-more@example.com', world.main);
    await fail('and-more@example.com', world.main);
    expect(told()).toMatchObject([{ address: '198.51.100.9' }]);
  });
});

describe('a right password on the list of those that are guessed first', () => {
  it('causes one mail, and a prompt until it is replaced', async () => {
    await using world = await startFactorWorld(PROXIED);
    const member = await world.member({ withSession: false });
    const hash = await hashPassword(LISTED);
    await changeAccess(world.db, { members: [member.id] }, (tx) =>
      setPassword(tx, { memberId: member.id, hash, nowMs: world.nowMs() }),
    );
    const wrong = await signInFrom(world, member, { password: 'password1' });
    expect(wrong.status).toBe(401);
    expect(await mailsTo(world, member.email, 'listedPassword')).toEqual([]);
    let token = '';
    for (const on of [world.main, world.other, world.admin]) {
      const answer = await signInFrom(world, member, { password: LISTED, on });
      if (on === world.admin) continue;
      token = String(answer.data['token']);
      expect(answer.data['prompts']).toEqual(['changePassword']);
      const me = await (await on.send('/auth/me', { token })).json();
      expect(me).toMatchObject({ prompts: ['changePassword'] });
    }
    expect(await mailsTo(world, member.email, 'listedPassword')).toHaveLength(1);
    const change = { currentPassword: LISTED, newPassword: 'Nothing-Like-It-77' };
    expect((await world.main.send('/auth/password', { token, body: change })).status).toBe(200);
    expect(await (await world.other.send('/auth/me', { token })).json()).toMatchObject({ prompts: [] });
    const after = await signInFrom(world, member, { password: change.newPassword });
    expect(after.data['prompts']).toEqual([]);
    const lines = await world.db.select().from(world.db.tables.auditLog);
    expect(lines.map(({ action }) => action)).toContain('password.listed');
    const readable = lines.filter(({ address }) => address !== null && !address.startsWith('v1.'));
    expect(readable.map(({ action }) => action)).toEqual([]);
  });
});
