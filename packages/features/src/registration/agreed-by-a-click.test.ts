import { createApp } from '@gatehouse/api-main/app';
import {
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { agreedAddresses } from './agree-to-address.js';

const dialect = inject('dialect');
const HOUR_MS = 3_600_000;
const ada = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };
const elsewhere = 'ada@elsewhere.test';

const answer = z.looseObject({
  error: z.looseObject({ code: z.string() }).optional(),
  token: z.string().optional(),
  userId: z.number().optional(),
  message: z.string().optional(),
  change: z.looseObject({ effectiveAt: z.string().nullable() }).nullable().optional(),
  data: z
    .looseObject({ effectiveAt: z.string().nullable().optional(), sessionsEnded: z.boolean().optional() })
    .optional(),
});

async function post(service: RunningService, path: string, body: object, token?: string) {
  const response = await service.send(path, { body, ...(token === undefined ? {} : { token }) });
  const sent = answer.parse(await response.json());
  return { ...sent, status: response.status, code: sent.error?.code };
}

const approve = (service: RunningService, token: string, how: object = {}, session?: string) =>
  post(service, '/v1/email/approve', { token, approve: true, ...how }, session);

const refuse = (service: RunningService, token: string, how: object = {}, session?: string) =>
  approve(service, token, { approve: false, ...how }, session);

async function mails(service: RunningService, kind: string, to: string) {
  return (await readOutbox(service)).filter((each) => each.kind === kind && each.to === to);
}

async function newest(service: RunningService, kind: string, to: string): Promise<string> {
  const [mail] = await mails(service, kind, to);
  expect(mail).toBeDefined();
  return mail?.token ?? '';
}

const me = async (service: RunningService, token: string) => {
  const response = await service.send('/auth/me', { token });
  if (response.status !== 200) return response.status;
  return ((await response.json()) as { member: Record<string, unknown> }).member;
};

/** A member who asks for another address, which its mailbox confirms. Only the old one has to agree. */
async function requestChange(service: RunningService, person: typeof ada, to: string) {
  const registered = await post(service, '/register', person);
  const session = registered.token ?? '';
  const activation = await newest(service, 'activation', person.email);
  await post(service, '/confirmationDetails', { token: activation, password: person.password });
  await post(service, '/v1/email/change', { email: to }, session);
  await post(service, '/confirmationDetails', { token: await newest(service, 'activation', to) });
  const link = await newest(service, 'addressApproval', person.email);
  return { session, memberId: registered.userId ?? 0, link };
}

/** Ada, of whose mailboxes only the old one still has to agree to another address. */
async function start(options: { env?: Record<string, string> } = {}) {
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    env: { ...developmentEnvironment(), ...options.env },
  });
  return {
    service,
    ...(await requestChange(service, ada, elsewhere)),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Ends the hour, by the clock of the database. */
async function endHour(
  { service, memberId }: Pick<Started, 'service' | 'memberId'>,
  atMs = 1,
): Promise<void> {
  const column = 'pending_effective_at_ms';
  await changeColumn(service.database, { table: 'members', column, id: memberId }, atMs);
}

/** Lets the database refuse to move the address of one member. */
async function failMove({ database }: RunningService, memberId: number) {
  const run = (sql: string) => database.write({ toSQL: () => ({ sql, params: [] }) });
  const end = () => run('drop trigger if exists stuck');
  await run(
    dialect === 'mysql'
      ? `create trigger stuck before insert on former_addresses for each row if new.member_id = ${memberId} then signal sqlstate '45000' set message_text = 'stuck'; end if`
      : `create trigger stuck before insert on former_addresses when new.member_id = ${memberId} begin select raise(abort, 'stuck'); end`,
  );
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}

async function actions({ service }: Started): Promise<string[]> {
  const lines = await service.database.select().from(service.database.tables.auditLog);
  return lines.map(({ action }) => action).filter((action) => action.startsWith('address.change'));
}

describe('an approval by the old mailbox without a password or session', () => {
  it('takes effect an hour later, and a second mail to the old mailbox says so', async () => {
    await using world = await start();
    const { service, session, link } = world;
    const before = Date.now();
    const answered = await approve(service, link);
    expect(answered.status).toBe(200);
    const effectiveAt = answered.data?.effectiveAt ?? '';
    const atMs = Date.parse(effectiveAt);
    expect(atMs).toBeGreaterThanOrEqual(before + HOUR_MS - 1000);
    expect(atMs).toBeLessThan(Date.now() + HOUR_MS + 1000);
    const [second] = await mails(service, 'addressAgreed', ada.email);
    expect(second?.text).toContain('a***@elsewhere.test');
    expect(second?.text).not.toContain(elsewhere);
    const details = await post(service, '/v1/email/approvalDetails', { token: second?.token });
    expect(details.change).toMatchObject({ email: ada.email, effectiveAt });

    await agreedAddresses.run(service.services);
    expect(await me(service, session)).toMatchObject({ email: ada.email, awaits: ['old'] });
    await endHour(world);
    expect(await agreedAddresses.run(service.services)).toBe(1);
    expect(await agreedAddresses.run(service.services)).toBe(0);
    expect(await me(service, session)).toMatchObject({ email: elsewhere, pendingEmail: null, awaits: [] });
    expect((await mails(service, 'addressChanged', ada.email)).length).toBe(1);
    expect(await actions(world)).toEqual([
      'address.change-requested',
      'address.change-approved',
      'address.changed',
    ]);
    for (const used of [link, second?.token ?? '']) {
      expect((await refuse(service, used)).code).toBe('invalid_token');
      expect((await approve(service, used)).code).toBe('invalid_token');
    }
  });

  it('is one approval and one mail, however often and wherever the link is used', async () => {
    await using world = await start();
    const { service, link } = world;
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
      database: service.database,
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => approve(index % 2 === 0 ? service : other, link)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(answers.map(({ data }) => data?.effectiveAt)).size).toBe(1);
    const sent = await mails(service, 'addressAgreed', ada.email);
    expect(sent).toHaveLength(1);
    const again = await approve(other, sent[0]?.token ?? '');
    expect(again.data?.effectiveAt).toBe(answers[0]?.data?.effectiveAt);
    expect(await mails(service, 'addressAgreed', ada.email)).toHaveLength(1);
  });

  it.each(['the first link', 'the second link'])('is stopped within the hour by %s', async (which) => {
    await using world = await start();
    const { service, session, link } = world;
    await approve(service, link);
    const second = await newest(service, 'addressAgreed', ada.email);
    const stopped = await refuse(service, which === 'the first link' ? link : second);
    expect(stopped).toMatchObject({ status: 200, data: { effectiveAt: null, sessionsEnded: false } });
    expect(await me(service, session)).toMatchObject({ email: ada.email, pendingEmail: null, awaits: [] });
    await endHour(world);
    await agreedAddresses.run(service.services);
    expect(await me(service, session)).toMatchObject({ email: ada.email });
  });

  it('takes effect immediately with the password, or in a session of the member', async () => {
    for (const how of ['the password', 'a session'] as const) {
      await using world = await start();
      const { service, session, link } = world;
      await approve(service, link);
      const proven =
        how === 'the password'
          ? await approve(service, link, { password: ada.password })
          : await approve(service, link, {}, session);
      expect(proven).toMatchObject({ status: 200, data: { effectiveAt: null } });
      expect(await me(service, session)).toMatchObject({ email: elsewhere, awaits: [] });
    }
  });

  it('waits while the new mailbox has not agreed', async () => {
    await using world = await start();
    const { service, session, memberId } = world;
    await post(service, '/v1/email/change', { email: 'third@elsewhere.test' }, session);
    const link = await newest(service, 'addressApproval', ada.email);
    expect((await approve(service, link)).data?.effectiveAt).toEqual(expect.any(String));
    await endHour({ ...world, memberId });
    await agreedAddresses.run(service.services);
    expect(await me(service, session)).toMatchObject({ email: ada.email, awaits: ['new'] });
    const activation = await newest(service, 'activation', 'third@elsewhere.test');
    await post(service, '/confirmationDetails', { token: activation });
    expect(await me(service, session)).toMatchObject({ email: 'third@elsewhere.test' });
  });

  it('is refused with a wrong password, which is counted like one at a sign-in', async () => {
    await using world = await start();
    const { service, session, link } = world;
    for (const answering of [approve, refuse])
      expect((await answering(service, link, { password: 'Wrong-Engine-1843' })).code).toBe(
        'invalid_credentials',
      );
    expect(await me(service, session)).toMatchObject({ pendingEmail: elsewhere, awaits: ['old'] });
    expect(await mails(service, 'addressAgreed', ada.email)).toEqual([]);
    const codes = new Set<string | undefined>();
    for (let at = 0; at < 30; at += 1)
      codes.add((await approve(service, link, { password: 'Wrong-Engine-1843' })).code);
    expect(codes).toContain('rate_limited');
    expect((await refuse(service, link)).status).toBe(200);
    expect(await me(service, session)).toMatchObject({ pendingEmail: null });
  });
});

describe('when the hour after an approval is over', () => {
  const cases: Record<string, (world: Started) => Promise<unknown>> = {
    'the member was banned': ({ service, memberId }) =>
      changeColumn(
        service.database,
        { table: 'members', column: 'banned_until_ms', id: memberId },
        9e12,
      ).then(() =>
        changeColumn(service.database, { table: 'members', column: 'role_type', id: memberId }, 11).then(() =>
          changeColumn(service.database, { table: 'members', column: 'banned_role_type', id: memberId }, 5),
        ),
      ),
    'the member was deleted': ({ service, memberId }) =>
      changeColumn(service.database, { table: 'members', column: 'is_deleted', id: memberId }, 1),
    'another change was asked for': ({ service, session }) =>
      post(service, '/v1/email/change', { email: 'third@elsewhere.test' }, session),
    'the password was reset': async ({ service }) => {
      await post(service, '/forgotPassword', { email: ada.email });
      const token = await newest(service, 'passwordReset', ada.email);
      await post(service, '/resetPassword', { token, password: 'Kiln-Orchard-77' });
    },
    'somebody else has the address': ({ service }) =>
      post(service, '/register', { ...ada, username: 'other', email: elsewhere }),
  };

  it.each(Object.keys(cases))('the address stays if %s', async (name) => {
    await using world = await start();
    const { service, link, memberId } = world;
    await approve(service, link);
    await cases[name]?.(world);
    const { members } = service.database.tables;
    const row = async () => (await service.database.select().from(members)).find(({ id }) => id === memberId);
    if ((await row())?.pendingEffectiveAtMs !== null) await endHour(world);
    await agreedAddresses.run(service.services);
    expect(await row()).toMatchObject({ email: ada.email, pendingEffectiveAtMs: null });
    expect(await agreedAddresses.run(service.services)).toBe(0);
  });

  it("the change takes effect although another member's change fails, which is retried", async () => {
    await using world = await start();
    const { service, link, session } = world;
    const bea = { ...ada, username: 'bea', email: 'bea@lovelace.test' };
    const other = await requestChange(service, bea, 'bea@elsewhere.test');
    for (const token of [other.link, link]) await approve(service, token);
    await using stuck = await failMove(service, other.memberId);
    await endHour({ service, memberId: other.memberId }, 0);
    await endHour(world);
    await expect(agreedAddresses.run(service.services)).rejects.toThrow('stuck');
    expect(await me(service, session)).toMatchObject({ email: elsewhere });
    await stuck.end();
    expect(await agreedAddresses.run(service.services)).toBe(1);
    expect(await me(service, other.session)).toMatchObject({ email: 'bea@elsewhere.test' });
  });

  it('the job and a concurrent refusal, on two nodes, have one outcome', async () => {
    for (let round = 0; round < 6; round += 1) {
      await using world = await start();
      const { service, session, link } = world;
      await using other = await startService(createApp, {
        dialect,
        application: 'web',
        env: developmentEnvironment(),
        database: service.database,
      });
      await approve(service, link);
      await endHour(world);
      const [, refused] = await Promise.all([
        agreedAddresses.run(other.services),
        refuse(service, link),
        agreedAddresses.run(service.services),
      ]);
      const isStopped = refused.status === 200;
      expect(await me(service, session)).toMatchObject({
        email: isStopped ? ada.email : elsewhere,
        pendingEmail: null,
      });
      const done = (await actions(world)).filter((action) => /changed|denied/.test(action));
      expect(done).toEqual([isStopped ? 'address.change-denied' : 'address.changed']);
    }
  });
});

describe('a refusal by the old mailbox', () => {
  it('stops the change immediately, and signs nobody out without the password or a session', async () => {
    await using world = await start();
    const { service, session, link } = world;
    expect(await refuse(service, link)).toMatchObject({ status: 200, data: { sessionsEnded: false } });
    expect(await me(service, session)).toMatchObject({ email: ada.email, pendingEmail: null });
    expect(await approve(service, link)).toMatchObject({
      message: 'You have already responded',
      data: { wasAnswered: true },
    });
  });

  it('signs everybody out with the password, or in a session of the member', async () => {
    for (const how of ['the password', 'a session'] as const) {
      await using world = await start();
      const { service, session, link } = world;
      const { token: elsewhereToken } = await signInByPassword(service, ada.email, ada.password);
      const refused =
        how === 'the password'
          ? await refuse(service, link, { password: ada.password })
          : await refuse(service, link, {}, session);
      expect(refused).toMatchObject({ status: 200, data: { sessionsEnded: true } });
      expect([await me(service, session), await me(service, elsewhereToken)]).toEqual([401, 401]);
    }
  });

  it('signs nobody out from another member’s session', async () => {
    await using world = await start();
    const { service, session, link } = world;
    const stranger = await signInByPassword(service, 'owner@acme.test', 'Lantern-Harbor-42');
    expect(await refuse(service, link, {}, stranger.token)).toMatchObject({ data: { sessionsEnded: false } });
    expect(await me(service, session)).toMatchObject({ email: ada.email });
  });
});
