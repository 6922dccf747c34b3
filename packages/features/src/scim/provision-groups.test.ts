import { changeAccess } from '@gatehouse/db/queries/change-access';
import { addGroupMembers, listGroupMembers } from '@gatehouse/db/queries/scim-groups';
import { adoptScimUsers } from '@gatehouse/db/queries/scim-users';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DirectoryWorld, type ScimReply, startDirectoryWorld } from '../test/directory-world.js';
import { insertTestSso } from '../test/test-sso.js';

const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});

const values = z.array(z.looseObject({ value: z.string() })).default([]);

const membersIn = ({ body }: ScimReply) => values.parse(body['members']).map(({ value }) => value);

const value = (...ids: string[]) => ids.map((id) => ({ value: id }));

/** The role of each member of the account, by address. */
async function rolesOf({ db, account1 }: DirectoryWorld) {
  const { members, memberships } = db.tables;
  const { id, email } = members;
  const emails = new Map((await db.select({ id, email }).from(members)).map((row) => [row.id, row.email]));
  const places = (await db.select().from(memberships)).filter(({ accountId }) => accountId === account1.id);
  return new Map(places.map(({ memberId, roleType }) => [emails.get(memberId), roleType]));
}

async function startGroups() {
  const world = await startDirectoryWorld();
  const [ada, bob, eve] = [await world.provision(), await world.provision(), await world.provision()];
  const made = await world.scim('POST', '/Groups', {
    body: { displayName: 'Staff', externalId: 'g', members: value(ada.id) },
  });
  return { world, ada, bob, eve, made, path: `/Groups/${String(made.body['id'])}` };
}

describe('a group of a directory', () => {
  it('is created, read, found, changed and deleted', async () => {
    const { world, ada, bob, made, path } = await startGroups();
    await using _ = world;
    expect([made.status, made.body['displayName'], membersIn(made)]).toEqual([201, 'Staff', [ada.id]]);
    expect((await world.scim('GET', path, { on: world.other })).body).toEqual(made.body);
    // As Entra looks for it.
    const byName = new URLSearchParams({ excludedAttributes: 'members', filter: 'displayName eq "STAFF"' });
    const found = await world.scim('GET', `/Groups?${byName}`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ displayName: 'Staff' }] });
    expect(JSON.stringify(found.body)).not.toContain('"members"');
    const filter = `id eq "${String(made.body['id'])}" and members[value eq "${ada.id}"]`;
    const isIn = await world.scim('GET', `/Groups?${new URLSearchParams({ filter })}`);
    expect(isIn.body).toMatchObject({ totalResults: 1 });
    const user = await world.scim('GET', `/Users/${ada.id}`);
    expect(user.body).toMatchObject({
      groups: [{ value: made.body['id'], display: 'Staff', type: 'direct' }],
    });
    const put = await world.scim('PUT', path, { body: { displayName: 'Crew', members: value(bob.id) } });
    expect([put.status, put.body['displayName'], membersIn(put)]).toEqual([200, 'Crew', [bob.id]]);
    expect((await world.scim('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const)
      expect((await world.scim(method, path)).status).toBe(404);
    expect((await world.scim('GET', `/Users/${bob.id}`)).body).toMatchObject({ groups: [], active: true });
  });

  it('adds and removes members in every way that Entra and Okta write it', async () => {
    const { world, ada, bob, eve, path } = await startGroups();
    await using _ = world;
    const steps: [object[], string[]][] = [
      [[{ op: 'Add', path: 'members', value: value(bob.id, eve.id) }], [ada.id, bob.id, eve.id]],
      [[{ op: 'Add', path: 'members', value: [{ $ref: null, value: bob.id }] }], [ada.id, bob.id, eve.id]],
      [[{ op: 'Remove', path: 'members', value: value(bob.id) }], [ada.id, eve.id]],
      [[{ op: 'remove', path: `members[value eq "${ada.id}"]` }], [eve.id]],
      [[{ op: 'remove', path: `members[value eq "${ada.id}"]` }], [eve.id]],
      [[{ op: 'replace', path: 'members', value: value(ada.id, bob.id) }], [ada.id, bob.id]],
      [[{ op: 'add', value: { members: value(eve.id) } }], [ada.id, bob.id, eve.id]],
      [
        [
          { op: 'remove', path: `members[value eq "${ada.id}" or value eq "${bob.id}"]` },
          { op: 'add', path: 'members', value: { value: bob.id } },
        ],
        [bob.id, eve.id],
      ],
      [[{ op: 'remove', path: 'members' }], []],
    ];
    for (const [operations, expected] of steps) {
      const changed = await world.scim('PATCH', path, { body: patch(...operations) });
      const now = await world.scim('GET', path);
      expect([operations, changed.status, membersIn(now)]).toEqual([operations, 204, expected]);
      expect([changed.body, changed.headers.get('etag')]).toEqual([{}, now.headers.get('etag')]);
    }
    // Okta repeats the id beside the new name.
    const id = path.split('/').at(-1);
    const renamed = await world.scim('PATCH', `${path}?excludedAttributes=members`, {
      body: patch({ op: 'replace', value: { id, displayName: 'Renamed' } }),
    });
    expect([renamed.status, renamed.body['displayName']]).toEqual([200, 'Renamed']);
  });

  it('is refused as a whole when a part is refused', async () => {
    const { world, ada, bob, path } = await startGroups();
    await using _ = world;
    await world.scim('POST', '/Groups', { body: { displayName: 'Other' } });
    const before = (await world.scim('GET', path)).body;
    const good = { op: 'add', path: 'members', value: value(bob.id) };
    const refusals: [object, number, string][] = [
      [{ op: 'add', path: 'members', value: value('u999999') }, 400, 'invalidValue'],
      [{ op: 'add', path: 'members', value: value('g1') }, 400, 'invalidValue'],
      [{ op: 'add', path: 'members', value: ['u1; drop table members'] }, 400, 'invalidValue'],
      [{ op: 'add', path: 'members', value: 7 }, 400, 'invalidValue'],
      [{ op: 'add', path: 'members', value: [{ value: { $ne: '' } }] }, 400, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: '' }, 400, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'OTHER' }, 409, 'uniqueness'],
      [{ op: 'remove', path: 'displayName' }, 400, 'mutability'],
      [{ op: 'replace', path: 'owner', value: ada.id }, 400, 'noTarget'],
      [{ op: 'replace', path: 'members.__proto__', value: [] }, 400, 'noTarget'],
      [{ op: 'add', path: `members[value eq "${ada.id}"]`, value: [] }, 400, 'invalidPath'],
      [{ op: 'remove', path: 'members[value co "u"]' }, 400, 'invalidFilter'],
    ];
    for (const [operation, status, kind] of refusals) {
      const refused = await world.scim('PATCH', path, { body: patch(good, operation) });
      expect([operation, refused.status, refused.scimType]).toEqual([operation, status, kind]);
    }
    // One character that stands for eighteen.
    const longest = { displayName: '\uFDFA'.repeat(36) };
    for (const body of [{ displayName: 'STAFF' }, {}, { displayName: 7 }, { displayName: ' ' }, longest]) {
      const { status } = await world.scim('POST', '/Groups', { body });
      expect([body, [400, 409].includes(status)]).toEqual([body, true]);
    }
    expect((await world.scim('GET', path)).body).toEqual(before);
  });

  it('has only users of its account as members, and is hidden from others', async () => {
    const { world, path } = await startGroups();
    await using _ = world;
    const foreign = await world.account();
    const { token } = await world.addToken({ token: foreign.owner.token, accountId: foreign.id });
    const [own] = z
      .array(z.looseObject({ id: z.string() }))
      .parse((await world.scim('GET', '/Users', { token })).body['Resources']);
    const add = { body: patch({ op: 'add', path: 'members', value: value(own?.id ?? '') }) };
    expect((await world.scim('PATCH', path, add)).scimType).toBe('invalidValue');
    for (const method of ['GET', 'DELETE'] as const)
      expect((await world.scim(method, path, { token })).status).toBe(404);
    expect((await world.scim('PATCH', path, { token, ...add })).status).toBe(404);
    const made = await world.scim('POST', '/Groups', { token, body: { displayName: 'Staff' } });
    expect(made.status).toBe(201);
    const filter = new URLSearchParams({ filter: `members.value eq "${own?.id ?? ''}"` });
    expect((await world.scim('GET', `/Groups?${filter}`)).body).toMatchObject({ totalResults: 0 });
  });

  it('is changed only in the version that was read, by one of several concurrent changes', async () => {
    const { world, bob, eve, made, path } = await startGroups();
    await using _ = world;
    const headers = { 'if-match': made.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      [bob, eve, bob, eve].map(({ id }, at) => {
        const on = at % 2 === 0 ? world.service : world.other;
        return world.scim('PATCH', path, {
          on,
          headers,
          body: patch({ op: 'add', path: 'members', value: value(id) }),
        });
      }),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 412, 412, 412]);
    const now = (await world.scim('GET', path)).headers.get('etag') ?? '';
    const unchanged = await world.scim('GET', path, { headers: { 'if-none-match': now } });
    expect(unchanged.status).toBe(304);
    // Changes of different members at once are all kept.
    await Promise.all([
      world.scim('PATCH', path, { body: patch({ op: 'remove', path: 'members', value: value(bob.id) }) }),
      world.scim('PATCH', path, {
        body: patch({ op: 'remove', path: 'members', value: value(eve.id) }),
        on: world.other,
      }),
    ]);
    expect(membersIn(await world.scim('GET', path))).toHaveLength(1);
  });

  it('has at most 10,000 members', async () => {
    const { world, bob, made, path } = await startGroups();
    await using _ = world;
    const groupId = Number(String(made.body['id']).slice(1));
    const { id: accountId } = world.account1;
    const { members, memberships } = world.db.tables;
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const names = Array.from({ length: 9_999 }, (_each, index) => `crowd${index}@${world.domain}`);
    const chunks = Array.from({ length: 20 }, (_each, index) => names.slice(index * 500, (index + 1) * 500));
    const nobody = { firstName: 'C', firstNameKey: 'c', lastName: '', lastNameKey: '', password: '!' };
    for (const chunk of chunks)
      await world.db.insertMany(
        members,
        chunk.map((name) => ({
          ...at,
          ...nobody,
          sid: name,
          sidKey: name,
          username: name,
          usernameKey: name,
          email: name,
          emailKey: name,
          roleType: 5,
          role: 'User Member',
        })),
      );
    const crowd = (await world.db.select({ id: members.id, email: members.email }).from(members)).filter(
      ({ email }) => email?.startsWith('crowd'),
    );
    for (let from = 0; from < crowd.length; from += 500)
      await world.db.insertMany(
        memberships,
        crowd.slice(from, from + 500).map((each) => ({ ...at, memberId: each.id, accountId, roleType: 5 })),
      );
    const inCrowd = new Set(crowd.map(({ id }) => id));
    const { id, memberId } = memberships;
    const users = (await world.db.select({ id, memberId }).from(memberships)).filter((each) =>
      inCrowd.has(each.memberId),
    );
    await changeAccess(world.db, {}, async (tx) => {
      await adoptScimUsers(tx, { accountId, users, nowMs: 1 });
      await addGroupMembers(tx, { accountId, groupId, ids: users.map(({ id }) => id) });
    });
    const full = await world.scim('GET', path);
    expect(membersIn(full)).toHaveLength(10_000);
    const one = { body: patch({ op: 'add', path: 'members', value: value(bob.id) }) };
    expect((await world.scim('PATCH', path, one)).scimType).toBe('invalidValue');
    // By name, each removal is quick; a thousand long filters would be a billion comparisons.
    const ids = membersIn(full);
    const long = ids.slice(0, 20).map((each) => `value eq "${each}"`);
    const many = Array.from({ length: 1_000 }, () => ({
      op: 'remove',
      path: `members[${long.join(' or ')}]`,
    }));
    const refused = await world.scim('PATCH', path, { body: patch(...many) });
    expect([refused.status, refused.scimType]).toEqual([400, 'tooMany']);
    const named = many.map(() => ({ op: 'remove', path: 'members[value eq "u999999999"]' }));
    const quick = await world.scim('PATCH', `${path}?attributes=id`, { body: patch(...named) });
    expect(quick.status).toBe(200);
    const put = await world.scim('PUT', path, {
      body: {
        displayName: 'Staff',
        members: membersIn(full)
          .slice(0, 9_000)
          .map((each) => ({ value: each })),
      },
    });
    expect([put.status, membersIn(put).length]).toEqual([200, 9_000]);
    expect((await world.scim('PATCH', path, one)).status).toBe(204);
    expect(await listGroupMembers(world.db, [groupId])).toHaveLength(9_001);
  });
});

describe('a role from a directory', () => {
  it('is that of the highest group that gives one, and follows changes of the groups', async () => {
    const { world, ada, bob, path } = await startGroups();
    await using _ = world;
    const { id: accountId, owner } = world.account1;
    const of = { accountId, createdById: owner.id };
    const rule = (name: string, roleType: number) => ({ claim: 'groups', value: name, roleType });
    await insertTestSso(world.db, { ...of, roleMap: [rule('Staff', 3), rule('Leads', 2)], defaultRole: 4 });
    await insertTestSso(world.db, {
      ...of,
      roleMap: [rule('staff', 5), { claim: 'team', value: 'Staff', roleType: 2 }],
    });
    await insertTestSso(world.db, { ...of, isLive: false, roleMap: [rule('Staff', 2)] });
    const roles = async () => {
      const found = await rolesOf(world);
      return [found.get(ada.userName), found.get(bob.userName)];
    };
    expect(await roles()).toEqual([5, 5]);
    await world.scim('PATCH', path, { body: patch({ op: 'add', path: 'members', value: value(bob.id) }) });
    expect(await roles()).toEqual([5, 3]);
    const leads = await world.scim('POST', '/Groups', {
      body: { displayName: 'Leads', members: value(ada.id, bob.id) },
    });
    expect(await roles()).toEqual([2, 2]);
    const leadsPath = `/Groups/${String(leads.body['id'])}`;
    await world.scim('PATCH', leadsPath, {
      body: patch({ op: 'replace', path: 'displayName', value: 'Friends' }),
    });
    expect(await roles()).toEqual([3, 3]);
    await world.scim('PATCH', leadsPath, {
      body: patch({ op: 'replace', path: 'displayName', value: 'LEADS' }),
    });
    expect(await roles()).toEqual([2, 2]);
    await world.scim('PATCH', leadsPath, {
      body: patch({ op: 'remove', path: `members[value eq "${ada.id}"]` }),
    });
    expect(await roles()).toEqual([3, 2]);
    await world.scim('DELETE', leadsPath);
    expect(await roles()).toEqual([3, 3]);
    await world.scim('DELETE', path);
    expect(await roles()).toEqual([5, 5]);
  });

  it('never replaces that of an owner or an account manager', async () => {
    const { world } = await startGroups();
    await using _ = world;
    const { id: accountId, owner } = world.account1;
    const roleMap = [{ claim: 'groups', value: 'Leads', roleType: 2 }];
    await insertTestSso(world.db, { accountId, createdById: owner.id, roleMap });
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const held: [string, number][] = [[owner.email, 1]];
    for (const roleType of [0, 1, 6]) {
      const member = await world.member();
      await world.db.insert(world.db.tables.memberships, { memberId: member.id, accountId, roleType, ...at });
      held.push([member.email, roleType]);
    }
    const users = z
      .array(z.looseObject({ id: z.string() }))
      .parse((await world.scim('GET', '/Users')).body['Resources']);
    const made = await world.scim('POST', '/Groups', {
      body: { displayName: 'Leads', members: value(...users.map(({ id }) => id)) },
    });
    expect(made.status).toBe(201);
    await world.scim('DELETE', `/Groups/${String(made.body['id'])}`);
    const roles = await rolesOf(world);
    expect(held.map(([email]) => [email, roles.get(email)])).toEqual(held);
  });
});
