import { changeAccess } from '@gatehouse/db/queries/change-access';
import { consumePendingAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FactorWorld, startFactorWorld } from '../test/factor-world.js';

const MINUTE_MS = 60_000;

const outbox = z.object({
  data: z.array(z.object({ to: z.string(), kind: z.string(), text: z.string(), subject: z.string() })),
});

async function mailsTo(world: FactorWorld, to: string) {
  const { data } = outbox.parse(await (await world.main.send('/dev/outbox')).json());
  return data.filter((mail) => mail.to === to);
}

async function ask(world: FactorWorld, email: string, on?: RunningService) {
  const answer = await world.call('signIn.requestEmail', { email }, on ? { on } : {});
  expect(answer.status).toBe(200);
  const [mail] = await mailsTo(world, email);
  return {
    flow: String(answer.data['flow']),
    code: /^ {4}(\d{8})$/m.exec(mail?.text ?? '')?.[1] ?? '',
    token: /\/signIn#email=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '',
  };
}

const sessionsOf = async ({ db }: FactorWorld, memberId: number) =>
  (await db.select().from(db.tables.sessions)).filter((row) => row.memberId === memberId).length;

describe('signing in by mail', () => {
  it.each(['code', 'token'] as const)(
    "accepts the mailed %s once, with the requester's flow",
    async (part) => {
      await using world = await startFactorWorld();
      const member = await world.member({ withSession: false });
      const asked = await ask(world, member.email);
      expect(asked.code).toHaveLength(8);
      expect(asked.token).toHaveLength(43);
      const stranger = await ask(world, 'stranger@example.com');
      const sent = { [part]: asked[part] };

      const without = await world.call('signIn.email', sent);
      expect([without.status, without.code]).toEqual([400, 'invalid_input']);
      const others = await world.call('signIn.email', { flow: stranger.flow, ...sent });
      expect([others.status, others.code]).toEqual([401, 'invalid_credentials']);
      const made = await world.call('signIn.email', { flow: 'made up', ...sent });
      expect([made.status, made.code]).toEqual([403, 'invalid_challenge']);
      expect(await sessionsOf(world, member.id)).toBe(0);

      const { flow } = asked;
      const answer = await world.call('signIn.email', { flow, ...sent }, { on: world.other });
      expect(answer.status).toBe(200);
      expect(answer.data).toMatchObject({ userId: member.id, level: 1, methods: ['email'] });
      const [mine] = await mailsTo(world, member.email);
      expect(mine?.subject).not.toContain(asked.code);
      // The other half of the mail is over too.
      for (const again of [{ code: asked.code }, { token: asked.token }]) {
        const refused = await world.call('signIn.email', { flow, ...again });
        expect([refused.status, await sessionsOf(world, member.id)]).toEqual([
          'code' in again === (part === 'code') ? 401 : 403,
          1,
        ]);
      }
    },
  );

  it('sends mail to members in familiar places, however many mails others request', async () => {
    const env = { TRUSTED_PROXIES: '127.0.0.0/8', MAIL_REQUESTS_PER_ADDRESS: '1000' };
    await using world = await startFactorWorld(env);
    const { email } = await world.member({ withSession: false, isProven: true });
    const device = { 'x-device-id': 'device-of-the-member-0001' };
    const from = (address: string, more: Record<string, string> = {}) => ({
      'x-forwarded-for': address,
      ...more,
    });
    const asked = async (headers: Record<string, string>) => {
      const before = (await mailsTo(world, email)).length;
      expect((await world.call('signIn.requestEmail', { email }, { headers })).status).toBe(200);
      return (await mailsTo(world, email)).length - before;
    };
    const login = { email, password: DEMONSTRATION_PASSWORD };
    await world.call('signIn.password', login, { headers: from('192.0.2.1', device) });
    for (let times = 0; times < 12; times += 1) await asked(from(`198.51.100.${times}`));
    expect(await asked(from('203.0.113.1'))).toBe(0);
    expect(await asked(from('203.0.113.1', { 'x-device-id': 'device-of-a-stranger-0001' }))).toBe(0);
    expect(await asked(from('192.0.2.1'))).toBe(1);
    expect(await asked(from('203.0.113.1', device))).toBe(1);
  });

  it('creates one session in fifty concurrent uses on two nodes', async () => {
    await using world = await startFactorWorld();
    const member = await world.member({ withSession: false });
    const { flow, code, token } = await ask(world, member.email);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) =>
        world.call(
          'signIn.email',
          { flow, ...(turn % 2 === 0 ? { code } : { token }) },
          { on: turn % 4 < 2 ? world.main : world.other },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(world, member.id)).toBe(1);
  });

  it('compares five codes from one address, and accepts neither code nor link after ten minutes', async () => {
    await using world = await startFactorWorld();
    const member = await world.member({ withSession: false });
    const first = await ask(world, member.email);
    const wrong = first.code === '00000000' ? '11111111' : '00000000';
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await world.call('signIn.email', { flow: first.flow, code: wrong })).status).toBe(401);
    expect((await world.call('signIn.email', { flow: first.flow, code: first.code })).status).toBe(401);

    const second = await ask(world, member.email);
    world.wait(10 * MINUTE_MS);
    expect((await world.call('signIn.email', { flow: second.flow, code: second.code })).status).toBe(401);
    expect((await world.call('signIn.email', { flow: second.flow, token: second.token })).status).toBe(401);
    world.wait(5 * MINUTE_MS);
    expect((await world.call('signIn.email', { flow: second.flow, code: second.code })).status).toBe(403);
    expect(await sessionsOf(world, member.id)).toBe(0);
  });

  it('accepts no code for an address that is no longer the member’s', async () => {
    await using world = await startFactorWorld();
    const member = await world.member({ withSession: false });
    const { flow, code } = await ask(world, member.email);
    const emailKey = 'moved@example.com';
    await changeAccess(world.db, { members: [member.id] }, async (tx) => {
      const nowMs = world.nowMs();
      const change = { memberId: member.id, email: emailKey, emailKey, awaits: 'new', nowMs } as const;
      await setPendingAddress(tx, change);
      await consumePendingAddress(tx, { memberId: member.id, emailKey, nowMs });
    });
    expect((await world.call('signIn.email', { flow, code })).status).toBe(401);
    expect(await sessionsOf(world, member.id)).toBe(0);
  });

  it('works at an unconfirmed address, which it proves, and sends an unknown one nothing', async () => {
    await using world = await startFactorWorld();
    const member = await insertTestMember(world.db);
    const asked = await ask(world, member.email);
    const stranger = await world.call('signIn.requestEmail', { email: 'nobody@example.com' });
    expect([stranger.status, String(stranger.data['flow']).length]).toEqual([200, asked.flow.length]);
    const answer = await world.call('signIn.email', { flow: asked.flow, code: asked.code });
    expect(answer.status).toBe(200);
    const { members } = world.db.tables;
    const row = (await world.db.select().from(members)).find(({ id }) => id === member.id);
    expect(row).toMatchObject({
      emailConfirmedAtMs: expect.any(Number),
      ownerProvenAtMs: expect.any(Number),
    });
    expect((await world.main.send('/auth/me', { token: member.token })).status).toBe(401);
    expect(await mailsTo(world, 'nobody@example.com')).toEqual([]);
  });

  it('requires the second step, and never one by mail', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    await world.call('factor.switch', { secondFactor: true, email: true }, { token: member.token });
    const asked = await ask(world, member.email);
    const answer = await world.call('signIn.email', { flow: asked.flow, code: asked.code });
    expect([answer.status, answer.code, answer.methods]).toEqual([
      401,
      'second_factor_required',
      ['totp', 'backupCode'],
    ]);
    const stepped = await world.call('signIn.step', { challenge: answer.challenge, code: member.code() });
    expect(stepped.data).toMatchObject({ level: 2, methods: ['email', 'totp'] });
  });

  it('works only at the main service, and can be switched off', async () => {
    await using world = await startFactorWorld({ EMAIL_SIGN_IN: 'false' });
    const email = 'owner@acme.test';
    for (const on of [world.main, world.admin])
      expect((await world.call('signIn.requestEmail', { email }, { on })).status).toBe(404);
    expect((await world.main.send('/signIn')).status).toBe(404);
  });
});

describe('the page for signing in by mail', () => {
  const form = (world: FactorWorld, fields: Record<string, string>, cookie?: string) =>
    world.main.send('/signIn', {
      body: fields,
      headers: cookie === undefined ? {} : { cookie },
    });

  it('works by the code without scripts, only in the requesting browser', async () => {
    await using world = await startFactorWorld();
    const member = await world.member({ withSession: false });
    const shown = await (await world.main.send('/signIn')).text();
    expect(shown).toContain('<form method="post" action="/signIn">');
    const answer = await form(world, { email: member.email });
    const cookie = answer.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^gatehouse-sign-in=[^;]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/);
    const [mail] = await mailsTo(world, member.email);
    const code = /^ {4}(\d{8})$/m.exec(mail?.text ?? '')?.[1] ?? '';
    const elsewhere = await form(world, { code });
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      403,
      expect.stringContaining('in the browser where you requested'),
    ]);
    const ended = await form(world, { code }, cookie.split(';')[0]);
    expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining('You are signed in')]);
    expect(ended.headers.get('set-cookie')).toMatch(/^gatehouse-sign-in=; Max-Age=0/);
    expect(await sessionsOf(world, member.id)).toBe(1);
  });
});
