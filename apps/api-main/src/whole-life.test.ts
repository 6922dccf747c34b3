import { accountErasure, memberErasure } from '@gatehouse/features/account/erasure-jobs';
import { endGrace } from '@gatehouse/features/test/end-grace';
import { type ShopWorld, startShop } from '@gatehouse/features/test/shop-world';
import { developmentEnvironment, readOutbox } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';

const DAY_MS = 86_400_000;

interface Person {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  token: string;
}

const person = (name: string): Person => ({
  username: `${name}-of-life`,
  email: `${name}@life.test`,
  password: `Meadow-Harbor-${name}-7`,
  token: '',
});

const answer = z.looseObject({
  token: z.string().optional(),
  userId: z.number().optional(),
  accountId: z.number().optional(),
  error: z.object({ code: z.string() }).optional(),
  data: z.unknown().optional(),
});

/** Calls `/v1`, and expects 200 or the given code. */
function callsOf({ service }: ShopWorld) {
  return async (name: string, input: object, as?: { token: string; accountId?: number }, code?: string) => {
    const response = await service.send(`/v1/${name.replaceAll('.', '/')}`, { ...as, body: input });
    const body = answer.parse(await response.json());
    expect([name, body.error?.code]).toEqual([name, code]);
    return body;
  };
}

async function linkFor({ service }: ShopWorld, kind: string, to: string): Promise<string> {
  const mail = (await readOutbox(service)).find((each) => each.kind === kind && each.to === to);
  if (!mail) throw new Error(`no ${kind} went to ${to}`);
  return mail.token;
}

describe('a deployment', () => {
  it('works from the first registration to the last erasure', { timeout: 120_000 }, async () => {
    const clock = { aheadMs: 0 };
    await using shop = await startShop({
      dialect: inject('dialect'),
      env: developmentEnvironment(),
      now: () => Date.now() + clock.aheadMs,
    });
    const call = callsOf(shop);
    const { services } = shop.service;
    const [ada, grace, linus] = [person('ada'), person('grace'), person('linus')];
    const register = async (who: Person) => {
      const { username, email, password } = who;
      const {
        token = '',
        userId = 0,
        accountId = 0,
      } = await call('registration.register', { username, email, password });
      await call('registration.confirm', { token: await linkFor(shop, 'activation', email), password });
      who.token = token;
      return { userId, accountId };
    };
    const signIn = async (who: Person) => {
      const { email, password } = who;
      who.token = (await call('login.web', { email, password })).token ?? '';
    };

    // Ada registers, confirms, and makes a role for her bookkeeper.
    const { accountId } = await register(ada);
    const inAccount = ({ token }: Person) => ({ token, accountId });
    const role = await call(
      'role.save',
      { name: 'Bookkeeper', roleType: 5, permissions: ['account.read', 'member.list'] },
      inAccount(ada),
    );
    const customRoleId = z.object({ id: z.number() }).parse(role.data).id;

    // Grace is new and joins by the link; Linus is a member already and accepts.
    await call('invitation.create', { email: grace.email, customRoleId }, inAccount(ada));
    const joining = { token: await linkFor(shop, 'invitation', grace.email) };
    expect(await call('invitation.preview', joining)).toMatchObject({ isRegistered: false });
    const { username, password } = grace;
    const joined = await call('invitation.join', { ...joining, username, password });
    grace.token = joined.token ?? '';
    expect(joined.accountId).toBe(accountId);
    const { userId: linusId } = await register(linus);
    await call('invitation.create', { email: linus.email, roleType: 2 }, inAccount(ada));
    await call('invitation.accept', { token: await linkFor(shop, 'invitation', linus.email) }, linus);
    await call('member.list', {}, inAccount(grace));
    await call('invitation.list', {}, inAccount(grace), 'permission_denied');

    // Ada pays, and cancels. Her plan lasts until the end of its period.
    const paying = { token: ada.token, accountId };
    const { data: checkout } = await shop.ask('billing.checkout', { ...paying, input: { plan: 'team' } });
    await shop.visit(checkout.url ?? '', { action: 'pay' });
    expect((await shop.ask('subscription.current', paying)).data).toMatchObject({
      state: 'active',
      active: true,
    });
    const { data: portal } = await shop.ask('billing.portal', paying);
    const page = await (await fetch(portal.url ?? '')).text();
    const [, subscription = ''] = /name="subscription" value="([^"]+)"/.exec(page) ?? [];
    await shop.visit(portal.url ?? '', { action: 'cancel', subscription });
    expect((await shop.ask('subscription.current', paying)).data).toMatchObject({
      state: 'canceled',
      active: true,
    });
    clock.aheadMs += 40 * DAY_MS;
    for (const who of [ada, linus, grace]) await signIn(who);
    const expired = await shop.ask('subscription.current', { token: ada.token, accountId });
    expect(expired.data).toMatchObject({ state: 'canceled', active: false });

    // Ada hands the account over and leaves it; Linus closes it and restores it.
    await call('membership.leave', {}, inAccount(ada), 'sole_owner');
    await call('account.transferOwnership', { memberId: linusId }, inAccount(ada));
    await call('membership.leave', {}, inAccount(ada));
    await call('member.list', {}, inAccount(ada), 'account_forbidden');
    const mine = z.array(z.object({ id: z.number(), name: z.string() }));
    const { data: owned } = await call('account.listMine', {}, linus);
    const name = mine.parse(owned).find(({ id }) => id === accountId)?.name ?? '';
    await call('account.close', { name }, inAccount(linus));
    await call('member.list', {}, inAccount(grace), 'account_forbidden');
    await call('account.restore', { accountId }, linus);
    await call('member.list', {}, inAccount(grace));

    // Linus deletes himself, comes back, deletes himself again, and is erased.
    await call('member.deleteOwn', {}, linus, 'sole_owner');
    const ends = { accounts: [{ accountId, action: 'close' }] };
    await call('member.deleteOwn', ends, linus);
    await call(
      'login.web',
      { email: linus.email, password: linus.password },
      undefined,
      'invalid_credentials',
    );
    await call('member.restoreOwn', {
      token: await linkFor(shop, 'memberDeleted', linus.email),
      password: linus.password,
    });
    await signIn(linus);
    await call('member.list', {}, inAccount(linus));
    await call('member.deleteOwn', ends, linus);
    clock.aheadMs += 31 * DAY_MS;
    await endGrace(shop.database, clock.aheadMs);
    for (const job of [memberErasure, accountErasure]) while ((await job.run(services)) > 0);
    await call(
      'login.web',
      { email: linus.email, password: linus.password },
      undefined,
      'invalid_credentials',
    );
    const tables = Object.values(shop.database.tables);
    const dump = JSON.stringify(
      await Promise.all(tables.map((table) => shop.database.select().from(table as never))),
    );
    expect(dump).toContain(ada.email);
    expect([dump.includes(linus.email), dump.includes(linus.username)]).toEqual([false, false]);
    await register({ ...person('linus'), username: 'another-linus' });
  });
});
