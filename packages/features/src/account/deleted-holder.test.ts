import type { Person } from '@gatehouse/simulator';
import {
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signIn,
  signInByPassword,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');

const mina = { username: 'mina-featherly', email: 'mina@featherly.test', password: 'Analytical-Engine-1843' };

const answer = z.looseObject({
  error: z.looseObject({ code: z.string() }).optional(),
  token: z.string().optional(),
  userId: z.number().optional(),
  accountId: z.number().nullable().optional(),
  isReturning: z.boolean().optional(),
  isRegistered: z.boolean().optional(),
});

async function post(service: RunningService, path: string, body: object, as: object = {}) {
  const response = await service.send(path, { body, ...as });
  const sent = answer.parse(await response.json());
  return { ...sent, status: response.status, code: sent.error?.code };
}

async function mails(service: RunningService, to: string, kind?: string) {
  const all = (await readOutbox(service)).filter((mail) => mail.to === to);
  return kind === undefined ? all : all.filter((mail) => mail.kind === kind);
}

/** What uses up the limit of registrations. */
async function registrations({ database }: RunningService): Promise<number> {
  const rows = await database.select().from(database.tables.limits);
  return rows
    .filter(({ key }) => key.startsWith('registration'))
    .reduce((sum, { points }) => sum + points, 0);
}

/** Mina, who registered, proved her address, and deleted herself. An owner of account 1 invites her address. */
async function start() {
  const world = await startSocialWorld({ dialect, env: developmentEnvironment() });
  const { service } = world;
  const { token: session = '', userId = 0, accountId } = await post(service, '/register', mina);
  const [mail] = await mails(service, mina.email, 'activation');
  await post(service, '/confirmationDetails', { token: mail?.token, password: mina.password });
  await post(service, '/v1/member/deleteOwn', {}, { token: session });
  const owner = await signIn(service, 'owner@acme.test');
  const invite = async (email: string) => {
    await post(service, '/v1/invitation/create', { email, roleType: 3 }, { ...owner, accountId: 1 });
    return (await mails(service, email, 'invitation'))[0]?.token ?? '';
  };
  return {
    service,
    memberId: userId,
    ownAccountId: accountId ?? 0,
    invite,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

describe('a member who deleted themselves and still owns the address', () => {
  it('learns from the invitation that they can come back, and joins with their password', async () => {
    await using world = await start();
    const { service, memberId, ownAccountId, invite } = world;
    const token = await invite(mina.email);
    expect(await post(service, '/v1/invitation/preview', { token })).toMatchObject({
      isRegistered: false,
      isReturning: true,
    });
    const other = { token: await invite('new@x.test') };
    expect(await post(service, '/v1/invitation/preview', other)).toMatchObject({ isReturning: false });
    const nameless = await post(service, '/v1/invitation/join', { ...other, password: mina.password });
    expect([nameless.status, nameless.code]).toEqual([400, 'invalid_input']);
    const join = (input: object) => post(service, '/v1/invitation/join', { token, ...input });
    const expire = (atMs: number) =>
      changeColumn(service.database, { table: 'invitations', column: 'expires_at_ms', id: 1 }, atMs);
    await expire(1);
    expect((await join({ password: mina.password })).code).toBe('invitation_expired');
    await expire(Date.now() + 60_000);
    expect((await join({ username: 'somebody', password: 'Wrong-Engine-1843' })).code).toBe(
      'invalid_credentials',
    );
    const before = await registrations(service);
    const joined = await join({ password: mina.password });
    expect(joined).toMatchObject({ status: 200, userId: memberId, accountId: 1 });
    expect(await registrations(service)).toBe(before + 1);
    for (const accountId of [1, ownAccountId]) {
      const me = await service.send('/auth/me', { token: joined.token ?? '', accountId });
      expect([accountId, me.status]).toEqual([accountId, 200]);
    }
    expect((await join({ password: mina.password })).code).toBe('invitation_used');
  });

  it('comes back and joins once in ten concurrent calls', async () => {
    await using world = await start();
    const { service, memberId, invite } = world;
    const token = await invite(mina.email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        post(service, '/v1/invitation/join', { token, password: mina.password }),
      ),
    );
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    // Those that come later find a member, or an invitation that was used.
    const others = answers.filter(({ status }) => status !== 200).map(({ code }) => code);
    expect(['sign_in_required', 'invitation_used']).toEqual(expect.arrayContaining([...new Set(others)]));
    const { auditLog, memberships } = service.database.tables;
    const lines = (await service.database.select().from(auditLog)).map(({ action }) => action);
    expect(lines.filter((action) => action === 'member.restored')).toHaveLength(1);
    const rows = await service.database.select().from(memberships);
    const theirs = rows.filter((row) => row.accountId === 1 && row.memberId === memberId);
    expect(theirs).toHaveLength(1);
  });

  it('needs the second step before they get a session', async () => {
    await using world = await start();
    const { service, memberId, invite } = world;
    const token = await invite(mina.email);
    await changeColumn(service.database, { table: 'members', column: 'second_factor', id: memberId }, 1);
    const joined = await post(service, '/v1/invitation/join', { token, password: mina.password });
    expect(joined.code).toBe('second_factor_required');
    expect(joined.token).toBeUndefined();
  });

  it('gets the link to come back from a reset or a sign-in by mail, which answer as for an unknown address', async () => {
    await using world = await start();
    const { service } = world;
    for (const [path, kind] of [
      ['/forgotPassword', 'passwordReset'],
      ['/v1/signIn/requestEmail', 'signInCode'],
    ] as const) {
      const before = (await mails(service, mina.email, 'comeBack')).length;
      const codes = async () =>
        (await service.database.select().from(service.database.tables.mailedCodes)).length;
      const atFirst = await codes();
      const known = await service.send(path, { body: { email: mina.email } });
      const stored = (await codes()) - atFirst;
      const unknown = await service.send(path, { body: { email: 'nobody@featherly.test' } });
      // The same amount is written for both.
      expect((await codes()) - atFirst).toBe(2 * stored);
      expect(known.status).toBe(unknown.status);
      const shape = async (response: Response) =>
        JSON.stringify(await response.json()).replaceAll(/"(?:flow|requestId)":"[^"]*"/g, '');
      expect(await shape(known)).toBe(await shape(unknown));
      expect((await mails(service, mina.email, 'comeBack')).length).toBe(before + 1);
      expect(await mails(service, mina.email, kind)).toEqual([]);
      expect(await mails(service, 'nobody@featherly.test')).toEqual([]);
    }
    const [mail] = await mails(service, mina.email, 'comeBack');
    expect((await post(service, '/v1/member/restoreOwn', { token: mail?.token })).code).toBe(
      'proof_required',
    );
    const back = { token: mail?.token, password: mina.password };
    expect((await post(service, '/v1/member/restoreOwn', back)).status).toBe(200);
    await signInByPassword(service, mina.email, mina.password);
  });

  it('gets that link through a provider that vouches for their address or was connected, and through no other', async () => {
    await using world = await start();
    const { service } = world;
    const visit = async (person: Partial<Person>) => {
      const end = await createSocialBrowser(service).visit('/social/google', { person });
      return end.searchParams.get('error');
    };
    expect(await visit({ id: '1', email: mina.email, isEmailVerified: false })).toBe('link_required');
    expect(await mails(service, mina.email, 'comeBack')).toEqual([]);
    expect(await visit({ id: '2', email: 'MINA@Featherly.test', isEmailVerified: true })).toBe(
      'link_required',
    );
    expect(await mails(service, mina.email, 'comeBack')).toHaveLength(1);

    const { token } = await socialSession(service, 'google', { id: '3', email: 'rosa@x.test' });
    await post(service, '/v1/member/deleteOwn', {}, { token });
    // They have another address at the provider now.
    expect(await visit({ id: '3', email: 'rosa@else.test', isEmailVerified: true })).toBe(
      'invalid_credentials',
    );
    expect(await mails(service, 'rosa@x.test', 'comeBack')).toHaveLength(1);
    expect(await mails(service, 'rosa@else.test')).toEqual([]);
  });

  it('gets nothing, and changes nothing, after staff deleted or banned them or the grace period is over', async () => {
    await using world = await start();
    const { service, memberId, invite } = world;
    const { members } = service.database.tables;
    const row = async () => (await service.database.select().from(members)).find(({ id }) => id === memberId);
    const token = await invite(mina.email);
    for (const [column, shut, open] of [
      ['deleted_by_id', 1, null],
      ['role_type', 11, 5],
      ['erases_at_ms', 1, null],
    ] as const) {
      const change = { table: 'members', column, id: memberId } as const;
      await changeColumn(service.database, change, shut);
      const before = await row();
      await post(service, '/forgotPassword', { email: mina.email });
      await post(service, '/v1/signIn/requestEmail', { email: mina.email });
      expect([column, await mails(service, mina.email, 'comeBack')]).toEqual([column, []]);
      expect(await post(service, '/v1/invitation/preview', { token })).toMatchObject({ isReturning: false });
      const join = { token, username: 'somebody', password: mina.password };
      expect((await post(service, '/v1/invitation/join', join)).code).toBe('email_taken');
      expect(await row()).toEqual(before);
      await changeColumn(service.database, change, open);
    }
  });
});
