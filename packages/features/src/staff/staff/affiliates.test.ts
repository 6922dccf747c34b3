import { createApp as createMain } from '@gatehouse/api-main/app';
import { startStaffWorld } from '@gatehouse/features/test/staff-world';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const person = (name: string, more: object = {}) => ({
  username: name,
  email: `${name}@referred.test`,
  password: 'Analytical-Engine-1843',
  ...more,
});

/** Both services over one database: people register at api-main, staff read at api-admin. */
async function startBoth() {
  const staff = await startStaffWorld();
  const main = await startService(createMain, {
    dialect,
    application: 'web',
    env: developmentEnvironment(),
    database: staff.service.database,
  });
  const { id: affiliateId } = await insertTestMember(staff.service.database, {
    roleType: 5,
    memberships: { 2: 5 },
  });
  const terms = { memberId: affiliateId, commissionPercent: 5, payoutEmail: 'pay@out.test' };
  const agree = (more: object = {}) =>
    staff.send('/addOrUpdateAffiliateDetails', staff.root, { ...terms, code: 'Robin-2026', ...more });
  expect((await agree()).status).toBe(200);
  return {
    staff,
    main,
    affiliateId,
    agree,
    referrals: () => staff.send('/v1/affiliate/referrals', staff.root, { affiliateId }),
    async [Symbol.asyncDispose]() {
      await main[Symbol.asyncDispose]();
      await staff[Symbol.asyncDispose]();
    },
  };
}

async function registered(
  service: RunningService,
  body: object,
): Promise<{ userId: number; accountId: number }> {
  const response = await service.send('/register', { body });
  expect(response.status).toBe(200);
  return (await response.json()) as { userId: number; accountId: number };
}

describe('the address to which an affiliate sends people', () => {
  it('is a page while APP_URL is ours, whose form registers with the code', async () => {
    await using world = await startBoth();
    const { staff, main, affiliateId } = world;
    const { body } = await staff.send(`/getAffiliateMarketingURL/${affiliateId}`, staff.root);
    const url = new URL(String(body['url']));
    const page = await main.send(`${url.pathname}${url.search}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('<input type="hidden" name="ref" value="Robin-2026">');
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
    const form = new URLSearchParams({
      ...person('formed'),
      firstName: '',
      lastName: 'Möller',
      ref: 'Robin-2026',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const done = await main.send(action, { body: form.toString(), headers });
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('formed@referred.test')]);
    expect((await world.referrals()).body).toMatchObject({
      data: [{ username: 'formed', confirmed: false, paying: false }],
      counts: { registered: 1, confirmed: 0, paying: 0 },
    });
    const again = await main.send(action, { body: form.toString(), headers });
    expect(again.status).toBe(409);
    const shown = await again.text();
    expect(shown).toContain('value="formed"');
    expect(shown).not.toContain('Analytical-Engine-1843');
  });

  it('is a page of the front end if that is on another host, and not ours', async () => {
    await using service = await startService(createMain, {
      dialect,
      application: 'web',
      env: { APP_URL: 'https://app.example.test' },
    });
    expect((await service.send('/register?ref=x')).status).toBe(404);
    const body = new URLSearchParams(person('nobody')).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await service.send('/registration', { body, headers })).status).toBe(404);
  });

  it('shows in the form what is wrong, and no markup that others sent', async () => {
    await using world = await startBoth();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams({
      email: '"><script>',
      username: '',
      password: 'x',
      ref: '"><b>',
    }).toString();
    const response = await world.main.send('/registration', { body, headers });
    const html = await response.text();
    expect([response.status, html.includes('<script>'), html.includes('"><b>')]).toEqual([400, false, false]);
    expect(html).toContain('Email address: This field must be an email address');
    expect(html).toContain('Password: This field must be at least 8 characters long');
  });
});

describe('a registration with `ref`', () => {
  it('keeps the code of an active affiliate, in any case, over REST and tRPC', async () => {
    await using world = await startBoth();
    const { main } = world;
    await registered(main, person('one', { ref: 'Robin-2026' }));
    await registered(main, person('two', { ref: 'ROBIN-2026' }));
    const trpc = await main.send('/trpc/registration.register', {
      body: person('three', { ref: 'robin-2026' }),
    });
    expect(trpc.status).toBe(200);
    const { body } = await world.referrals();
    expect(body).toMatchObject({ counts: { registered: 3 } });
    expect((body['data'] as { username: string }[]).map(({ username }) => username)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it.each([
    ['unknown', 'nobody-has-this'],
    ['empty', ''],
    ['null', null],
    ['a number', 5],
    ['an object', {}],
    ['a list', ['Robin-2026']],
    ['too long', 'x'.repeat(5_000)],
    ['hostile', "' OR '1'='1"],
  ])('is not refused for a code that is %s, and stores nothing', async (_what, ref) => {
    await using world = await startBoth();
    await registered(world.main, person('plain', { ref }));
    expect((await world.referrals()).body).toMatchObject({ data: [], counts: { registered: 0 } });
  });

  it('stores nothing for an affiliate who is inactive or deleted', async () => {
    await using world = await startBoth();
    await world.agree({ active: false });
    await registered(world.main, person('late', { ref: 'Robin-2026' }));
    await world.agree({ active: true });
    expect((await world.referrals()).body).toMatchObject({ data: [] });
    await world.staff.send('/deleteUser', world.staff.root, { userId: world.affiliateId });
    await registered(world.main, person('later', { ref: 'Robin-2026' }));
    const { referrals } = world.staff.service.database.tables;
    expect(await world.staff.service.database.select().from(referrals)).toEqual([]);
  });
});

describe('affiliate.referrals', () => {
  it('counts members who confirmed and members who pay, page by page', async () => {
    await using world = await startBoth();
    const { main, staff, affiliateId } = world;
    const { database } = staff.service;
    for (const name of ['ada', 'bob', 'cyd']) await registered(main, person(name, { ref: 'robin-2026' }));
    const mail = (await readOutbox(main)).find(({ to }) => to === 'ada@referred.test');
    await main.send('/confirmationDetails', { body: { token: mail?.token } });
    const first = await staff.send(`/v1/affiliate/referrals?affiliateId=${affiliateId}&limit=2`, staff.root);
    expect(first.body).toMatchObject({
      data: [
        { id: expect.any(Number), username: 'ada', confirmed: true, paying: false },
        { username: 'bob', confirmed: false, paying: false },
      ],
      counts: { registered: 3, confirmed: 1, paying: 0 },
    });
    const { nextCursor } = first.body['page'] as { nextCursor: string };
    const next = await staff.call('affiliate.referrals', { affiliateId, cursor: nextCursor }, staff.root);
    expect(next.body).toMatchObject({ data: [{ username: 'cyd' }], page: { nextCursor: null } });
    await database.write(database.update(database.tables.subscriptions).set({ state: 'active' }));
    expect((await world.referrals()).body).toMatchObject({
      data: [{ paying: true }, { paying: true }, { paying: true }],
      counts: { registered: 3, confirmed: 1, paying: 3 },
    });
  });

  it('does not show staff with grants anybody outside their accounts, and shows others nothing', async () => {
    await using world = await startBoth();
    const { main, staff, affiliateId } = world;
    await registered(main, person('far', { ref: 'robin-2026' }));
    const seen = await staff.send('/v1/affiliate/referrals', staff.manager, { affiliateId });
    expect(seen.body).toMatchObject({ data: [], counts: { registered: 0, confirmed: 0, paying: 0 } });
    const refused = await staff.send('/v1/affiliate/referrals', staff.member, { affiliateId });
    expect(refused.status).toBe(403);
    const unknown = await staff.send('/v1/affiliate/referrals', staff.root, { affiliateId: 999_999 });
    expect(unknown.status).toBe(404);
  });
});
