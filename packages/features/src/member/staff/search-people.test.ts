import { changeAccess } from '@gatehouse/db/queries/change-access';
import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../../test/change-column.js';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

/** The searches for people, with the field of the text. */
const PEOPLE = [
  '/searchUser',
  '/searchAccountManagers',
  '/getAllOwnerList',
  '/searchAffiliatePeople',
] as const;

async function idsOf(world: StaffWorld, path: string): Promise<number[]> {
  const { status, body } = await world.send(path, world.root);
  expect([path, status]).toEqual([path, 200]);
  return (body['data'] as { id: number }[]).map(({ id }) => id);
}

/** A member whom every search for people can find. */
async function insertEverybody(world: StaffWorld): Promise<number> {
  const { id } = await insertTestMember(world.service.database, {
    roleType: 6,
    isPersonnel: true,
    memberships: { 2: 1 },
  });
  const terms = { memberId: id, code: 'ZZZ', commissionPercent: 1, payoutEmail: 'pay@out.test' };
  expect((await world.send('/addOrUpdateAffiliateDetails', world.root, terms)).status).toBe(200);
  const renamed = await world.send('/updateUser', world.root, {
    id,
    fName: 'Zoë',
    lName: 'Großmann-Ångström',
  });
  expect(renamed.status).toBe(200);
  return id;
}

describe('a search by staff', () => {
  it.each(PEOPLE)('%s finds last names without regard to case and accents, and the id', async (path) => {
    await using world = await startStaffWorld();
    const id = await insertEverybody(world);
    const found = (text: string) => idsOf(world, `${path}?search=${encodeURIComponent(text)}`);
    for (const text of ['angstrom', 'GROßMANN', 'mann-Å'])
      expect([text, await found(text)]).toEqual([text, [id]]);
    // Another member's username may contain the digits too.
    for (const text of [String(id), ` ${id} `]) expect(await found(text)).toContain(id);
    expect(await idsOf(world, `${path}?search=${id}999`)).toEqual([]);
  });

  it('finds last names among the members of an account, and members by id', async () => {
    await using world = await startStaffWorld();
    const id = await insertEverybody(world);
    expect(await idsOf(world, `/getAlltAccountMembers/${id}/0/ngstr`)).toEqual([id]);
    expect(await idsOf(world, `/getAlltAccountMembers/${id}/0/${id}`)).toContain(id);
  });

  it('finds accounts by id, in addition to those that the name finds', async () => {
    await using world = await startStaffWorld();
    expect(await idsOf(world, '/searchAccountUser?search=2')).toEqual([2]);
    expect(await idsOf(world, '/getAccountNameList?searchUser=2')).toEqual([2]);
    expect(await idsOf(world, '/searchAccountUser?search=birch')).toEqual([2]);
    expect(await idsOf(world, '/searchAccountUser?search=99999')).toEqual([]);
    const narrow = await world.send('/searchAccountUser?search=3', world.manager);
    expect(narrow.body['data']).toEqual([]);
  });

  it('finds an address by either spelling of its domain, and by a part of it', async () => {
    await using world = await startStaffWorld();
    const { id } = world.member;
    const place = { table: 'members', column: 'email_key', id };
    await changeColumn(world.service.database, place, 'zoe@xn--bcher-kva.example');
    for (const search of [
      'zoe@bücher.example',
      'BÜCHER.example',
      '@bu\u0308cher.example',
      'e@xn--bcher',
      'zoe@x',
    ])
      expect([search, await idsOf(world, `/searchUser?search=${encodeURIComponent(search)}`)]).toEqual([
        search,
        [id],
      ]);
  });

  it('finds every person of the demonstration by name in either order, by parts, address and id', async () => {
    await using world = await startStaffWorld();
    for (const { id, firstName, lastName, email } of DEMONSTRATION_PEOPLE) {
      const texts = [
        firstName,
        lastName,
        `${firstName} ${lastName}`,
        `${lastName.toUpperCase()}  ${firstName.toLowerCase()}`,
        `${lastName.slice(1, 4)} ${firstName.slice(1)}`,
        email,
        `${firstName} ${email}`,
        String(id),
        `${id} ${lastName}`,
      ];
      for (const text of texts) {
        const { ids } = await search(world, { search: text });
        expect([text, ids.includes(id)]).toEqual([text, true]);
      }
      expect((await search(world, { search: `${firstName} ${lastName}` })).ids).toEqual([id]);
      expect((await search(world, { search: String(id) })).ids[0]).toBe(id);
    }
    expect((await search(world, { search: 'mina marsh' })).ids).toEqual([]);
  });

  it('treats wildcards and quotes as text, which match nobody', async () => {
    await using world = await startStaffWorld();
    const hostile = [
      '%',
      '_',
      '\\',
      "' or 1=1 --",
      'mina %',
      'm_na',
      '👩🏽‍🚀',
      'שלום עולם',
      'مرحبا mina',
      '\u202emina',
      '\u{10ffff}',
      Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' '),
    ];
    for (const text of hostile)
      expect([text, (await search(world, { search: text })).ids]).toEqual([text, []]);
    for (const text of ['', ' ', '\u0301'])
      expect((await search(world, { search: text })).ids.length).toBeGreaterThan(10);
    const words = Array.from({ length: 200 }, () => 'ab').join(' ');
    expect((await world.call('member.search', { search: words }, world.root)).status).toBe(400);
  });

  it('finds accounts by any part of the name, for those who may see them', async () => {
    await using world = await startStaffWorld();
    for (const text of ['studio', 'udi acm', 'STUDIO acme'])
      expect([text, await idsOf(world, `/searchAccountUser?search=${encodeURIComponent(text)}`)]).toEqual([
        text,
        [1],
      ]);
    const narrow = await world.send('/searchAccountUser?search=studio', world.manager);
    expect(narrow.body['data']).toEqual([]);
    expect((await search(world, { search: 'mina sato' }, world.manager)).ids).toEqual([]);
  });

  it.each([
    ['/searchUser?serach=ada', 'serach'],
    ['/searchAccountUser?name=acme', 'name'],
    ['/searchAccountManagers?q=x', 'q'],
    ['/searchAffiliatePeople?code=x', 'code'],
    ['/getAllOwnerList?text=x', 'text'],
    ['/getAccountNameList?search=x', 'search'],
    ['/getAlltAccountMembers/3/0/a?search=x', 'search'],
  ])('%s is refused for an unknown field, which it names', async (path, name) => {
    await using world = await startStaffWorld();
    const unknown = [{ path: name, message: 'This field is not known here' }];
    const read = await world.send(path, world.root);
    expect([read.status, read.body['error']]).toMatchObject([
      400,
      { code: 'invalid_input', issues: unknown },
    ]);
  });

  it.each([
    'member.search',
    'account.search',
    'account.names',
    'personnel.searchManagers',
    'affiliate.search',
    'member.owners',
  ])('%s refuses it over tRPC and in a body the same way', async (name) => {
    await using world = await startStaffWorld();
    expect((await world.call(name, { serach: 'ada' }, world.root)).status).toBe(400);
    expect((await world.call(name, { search: 'ada' }, world.root)).status).toBe(200);
    const derived = await world.send(`/v1/${name.replace('.', '/')}`, world.root, { serach: 'ada' });
    expect(derived.status).toBe(400);
  });
});

async function search(
  world: StaffWorld,
  input: object,
  as = world.root,
): Promise<{ ids: number[]; more: number }> {
  const { status, body } = await world.call('member.search', input, as);
  expect([input, status]).toEqual([input, 200]);
  const { data, more } = body as unknown as { data: { id: number }[]; more: number };
  return { ids: data.map(({ id }) => id), more };
}

describe('a search of members by staff', () => {
  it('can be filtered by state, and finds deleted members only by their state', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const { id } = await insertTestMember(database, { memberships: { 2: 5 } });
    const nowMs = Date.now();
    await changeAccess(database, { members: [id] }, (tx) =>
      deleteOwnMember(tx, { memberId: id, erasesAtMs: nowMs + 1_000_000, nowMs }),
    );
    expect((await search(world, { state: 'banned' })).ids).toEqual([10]);
    expect((await search(world, { state: 'live' })).ids).not.toContain(10);
    expect((await search(world, {})).ids).toContain(10);
    expect((await search(world, {})).ids).not.toContain(id);
    for (const as of [world.root, world.manager]) {
      expect((await search(world, { state: 'deleting' }, as)).ids).toEqual([id]);
      expect((await search(world, { state: 'deleting', search: String(id) }, as)).ids).toEqual([id]);
      expect((await search(world, { state: 'deleted' }, as)).ids).toEqual([]);
    }
    expect((await search(world, { state: 'banned' }, world.manager)).ids).toEqual([]);
    const rest = await world.send('/searchUser?state=deleting', world.root);
    expect((rest.body['data'] as unknown[]).length).toBe(1);
    expect((await world.send('/searchUser?state=gone', world.root)).status).toBe(400);
  });

  it('can be filtered by partner and base role', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    for (const memberId of [8, 9])
      await database.insert(database.tables.partnerMembers, {
        partnerId: 1,
        memberId,
        linkedAtMs: Date.now(),
      });
    expect((await search(world, { partnerId: 1 })).ids).toEqual([8, 9]);
    expect((await search(world, { partnerId: 1 }, world.manager)).ids).toEqual([8]);
    expect((await search(world, { partnerId: 2 })).ids).toEqual([]);
    expect((await search(world, { roleType: 4 })).ids).toEqual([6]);
    expect((await search(world, { roleType: 1, search: 'cedar' })).ids).toEqual([9]);
    expect((await search(world, { roleType: 11 })).ids).toEqual([10]);
    expect((await search(world, { roleType: 11, state: 'live' })).ids).toEqual([]);
    const rest = await world.send('/searchUser?partnerId=1&role_type=1', world.root);
    expect((rest.body['data'] as { id: number }[]).map((each) => each.id)).toEqual([8, 9]);
  });

  it('comes in the requested order, page by page', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    for (const [id, lastLoginAtMs] of [
      [6, 3_000],
      [7, 1_000],
      [8, 2_000],
    ] as const)
      await changeColumn(database, { table: 'members', column: 'last_login_at_ms', id }, lastLoginAtMs);
    const all = (await search(world, {})).ids;
    for (const sort of ['id', '-id', 'email', '-email', 'lastLogin', '-lastLogin']) {
      const { body: whole } = await world.call('member.search', { sort, limit: 200 }, world.root);
      const rows = whole['data'] as { id: number; email: string | null; lastLoginAt: string | null }[];
      expect(rows.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual(all);
      const field = sort.endsWith('id') ? 'id' : sort.endsWith('email') ? 'email' : 'lastLoginAt';
      const values = rows.map((row) => row[field]).filter((value) => value !== null);
      const inOrder = values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
      expect([sort, values]).toEqual([sort, sort.startsWith('-') ? inOrder.toReversed() : inOrder]);

      const paged: number[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await world.call('member.search', { sort, limit: 2, cursor }, world.root);
        const { data, page, more } = body as unknown as {
          data: { id: number }[];
          page: { nextCursor: string | null };
          more: number;
        };
        paged.push(...data.map(({ id }) => id));
        expect([sort, more]).toEqual([sort, all.length - paged.length]);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect([sort, paged]).toEqual([sort, rows.map(({ id }) => id)]);
    }
    expect((await search(world, { sort: '-id' }, world.manager)).ids).toEqual(
      (await search(world, {}, world.manager)).ids.toReversed(),
    );
    const rest = await world.send('/searchUser?sort=-id', world.root);
    expect((rest.body['data'] as { id: number }[])[0]?.id).toBe(all.at(-1));
  });

  it('refuses an unknown order, and a cursor of another order', async () => {
    await using world = await startStaffWorld();
    expect((await world.call('member.search', { sort: 'password' }, world.root)).status).toBe(400);
    const byEmail = await world.call('member.search', { sort: 'email', limit: 1 }, world.root);
    const { nextCursor } = byEmail.body['page'] as { nextCursor: string };
    const other = { sort: 'lastLogin', cursor: nextCursor };
    expect((await world.call('member.search', other, world.root)).status).toBe(400);
  });

  it('shows the state, second step, last sign-in and accounts of each, as far as the caller acts in them', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const { id, email } = await insertTestMember(database, { memberships: { 1: 5, 2: 5 } });
    for (const [column, value] of [
      ['last_login_at_ms', 86_400_000],
      ['second_factor', 1],
    ] as const)
      await changeColumn(database, { table: 'members', column, id }, value);
    const facts = { id, status: 'live', secondFactor: true, lastLoginAt: '1970-01-02T00:00:00.000Z' };
    const found = async (as: typeof world.root) =>
      (await world.call('member.search', { search: email }, as)).body['data'];
    const [acme, birch] = [
      { id: 1, name: 'Acme Studio' },
      { id: 2, name: 'Birch & Co' },
    ];
    expect(await found(world.root)).toMatchObject([{ ...facts, account: acme, accountCount: 2 }]);
    // The manager acts only in account 2.
    expect(await found(world.manager)).toMatchObject([{ ...facts, account: birch, accountCount: 1 }]);
    const banned = await world.call('member.search', { state: 'banned' }, world.root);
    expect(banned.body['data']).toMatchObject([{ id: 10, status: 'banned', secondFactor: false }]);
  });

  it("says how many more matches in the caller's scope follow", async () => {
    await using world = await startStaffWorld();
    const all = await search(world, {});
    expect(all.more).toBe(0);
    expect((await search(world, { limit: 3 })).more).toBe(all.ids.length - 3);
    expect((await search(world, { limit: 1, search: 'acme' })).more).toBe(6);
    expect((await search(world, { limit: 1 }, world.manager)).more).toBe(2);
    expect((await search(world, { limit: 1, search: 'acme' }, world.manager)).more).toBe(0);
    const { body } = await world.call('account.search', { limit: 1 }, world.root);
    expect(body).toMatchObject({ more: 2, data: [{ id: 1 }] });
    expect((await world.call('account.search', { limit: 1 }, world.manager)).body).toMatchObject({ more: 0 });
  });
});

describe('a search of accounts by staff', () => {
  it('comes in the requested order, page by page, only with accounts of the caller', async () => {
    await using world = await startStaffWorld();
    const names = async (input: object, as = world.root) => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const { body } = await world.call('account.search', { ...input, limit: 1, cursor }, as);
        const { data, page, more } = body as unknown as {
          data: { name: string }[];
          page: { nextCursor: string | null };
          more: number;
        };
        found.push(...data.map(({ name }) => name));
        cursor = page.nextCursor;
        expect(more > 0).toBe(cursor !== null);
      } while (cursor !== null);
      return found;
    };
    const inOrder = ['Acme Studio', 'Birch & Co', 'Cedar Labs'];
    for (const sort of ['name', 'id', undefined]) expect(await names({ sort })).toEqual(inOrder);
    for (const sort of ['-name', '-id']) expect(await names({ sort })).toEqual(inOrder.toReversed());
    expect(await names({ sort: '-name', search: 'c' })).toEqual(inOrder.toReversed());
    expect(await names({ sort: '-name' }, world.manager)).toEqual(['Birch & Co']);
    const rest = await world.send('/searchAccountUser?sort=-name', world.root);
    expect((rest.body['data'] as { name: string }[])[0]?.name).toBe('Cedar Labs');
    expect((await world.call('account.search', { sort: 'owner' }, world.root)).status).toBe(400);
    const byName = await world.call('account.search', { sort: 'name', limit: 1 }, world.root);
    const { nextCursor: cursor } = byName.body['page'] as { nextCursor: string };
    expect((await world.call('account.search', { sort: 'id', cursor }, world.root)).status).toBe(400);
  });

  it('shows the owner, plan, status and number of members of each', async () => {
    await using world = await startStaffWorld({
      BILLING_PLANS: JSON.stringify([{ key: 'team', provider: 'stripe', priceId: 'price_1', name: 'Team' }]),
    });
    const { database } = world.service;
    for (const [column, value] of [
      ['state', 'active'],
      ['provider', 'stripe'],
      ['plan', 'price_1'],
    ] as const)
      await changeColumn(database, { table: 'subscriptions', column, by: 'account_id', id: 1 }, value);
    await insertTestMember(database, { memberships: { 1: 5 } });
    const found = async (search: string) =>
      (await world.call('account.search', { search }, world.root)).body['data'];
    expect(await found('acme')).toMatchObject([
      {
        id: 1,
        owner: 'Olivia Marsh',
        members: 8,
        plan: 'Team',
        subscription: { state: 'active', active: true },
      },
    ]);
    expect(await found('birch')).toMatchObject([{ plan: null, subscription: { state: 'trialing' } }]);
  });
});

describe('a search that waits in the queue', () => {
  it('reads nothing once its caller has disconnected', async () => {
    await using world = await startStaffWorld();
    const { searches } = world.service.services;
    const { run } = searches;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding: Promise<void>[] = [];
    while (searches.load.waiting === 0) holding.push(run(() => held));
    const found: unknown[] = [];
    searches.run = (work, isUrgent) =>
      run(async () => {
        const result = await work();
        found.push(result);
        return result;
      }, isUrgent);

    const caller = new AbortController();
    const search = fetch(`${world.service.url}/searchUser?search=acme`, {
      headers: { Token: world.root.token },
      signal: caller.signal,
    });
    await expect.poll(() => searches.load.waiting).toBe(2);
    caller.abort();
    await expect(search).rejects.toThrow('aborted');
    // After the answer to a later call, the service knows that the connection is closed.
    await world.send('/auth/me', world.root);
    release();
    await Promise.all(holding);
    await expect.poll(() => found).toEqual([{ rows: [], goesOnAfter: undefined }]);
    expect(await idsOf(world, '/searchUser?search=acme')).not.toEqual([]);
  });
});
