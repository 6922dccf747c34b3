import { changeAccess } from '@gatehouse/db/queries/change-access';
import { memberAudience } from '@gatehouse/db/queries/events';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { type DirectoryWorld, type ScimReply, startDirectoryWorld } from '../test/directory-world.js';
import { eventsOf } from '../test/events-of.js';
import { insertTestInvitation, linkOf } from '../test/invitations.js';
import { insertTestDomain, insertTestSso } from '../test/test-sso.js';
import { USER_SCHEMA } from './discovery.js';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

const members = z.array(z.looseObject({ id: z.int(), email: z.string(), role: z.string() }));
const resources = z.array(z.looseObject({ id: z.string(), userName: z.string() }));

const listed = ({ body }: ScimReply) => resources.parse(body['Resources']);

/** The members of the account, as its owner sees them. */
async function peopleOf({ call, account1 }: DirectoryWorld) {
  return members.parse((await call('member.list', {}, account1.as)).data);
}

/** A member with an address of the verified domain. */
async function memberAt(world: DirectoryWorld, options: Parameters<typeof insertTestMember>[1] = {}) {
  const email = world.address();
  const member = await insertTestMember(world.db, { isConfirmed: true, ...options });
  const at = { table: 'members', by: 'id', id: member.id };
  for (const column of ['email', 'email_key', 'sid', 'sid_key'])
    await changeColumn(world.db, { ...at, column }, email);
  return { ...member, email };
}

describe('a user of a directory', () => {
  it('is changed with the token named in the audit log, and by a person without one', async () => {
    await using world = await startDirectoryWorld();
    const { call, account1 } = world;
    const made = await world.scim('POST', '/Users', { body: { userName: world.address(), active: true } });
    await world.scim('DELETE', `/Users/${String(made.body['id'])}`);
    await call('account.rename', { name: 'Forge' }, account1.as);
    const [token] = z
      .array(z.object({ id: z.int() }))
      .parse((await call('scim.listTokens', {}, account1.as)).data);
    const line = z.object({ action: z.string(), actorId: z.int().nullable(), after: z.unknown() });
    const lines = z.array(line).parse((await call('audit.listOwn', {}, account1.as)).data);
    const of = (name: string) => lines.find(({ action }) => action === name);
    const byDirectory = lines.filter(({ actorId }) => actorId === null);
    expect(byDirectory.length).toBeGreaterThan(2);
    for (const { action, after } of byDirectory)
      expect([action, after]).toMatchObject([action, { scimTokenId: token?.id }]);
    expect(of('membership.added')).toMatchObject({ actorId: null, after: { scimTokenId: token?.id } });
    expect(JSON.stringify(of('account.renamed'))).not.toContain('scimTokenId');
  });

  it('is changed by a directory whose number no other account of the person sees in its events', async () => {
    await using world = await startDirectoryWorld();
    const { id, userName } = await world.provision({ name: { givenName: 'Ida', familyName: 'Berg' } });
    const person = (await peopleOf(world)).find(({ email }) => email === userName);
    const memberId = person?.id ?? 0;
    const other = await world.account('Other');
    await changeAccess(world.db, { members: [memberId] }, (tx) =>
      setMembership(tx, { memberId, accountId: other.id, roleType: 5, nowMs: Date.now() }),
    );
    const body = patch({ op: 'replace', path: 'name.givenName', value: 'Ada' });
    expect((await world.scim('PATCH', `/Users/${id}`, { body })).status).toBe(200);
    const asOther = { token: other.owner.token, accountId: other.id };
    const told = await eventsOf(world, asOther, ['member.updated']);
    expect(told.map(({ actor, data }) => [actor, data['firstName']])).toEqual([[{ kind: 'scim' }, 'Ada']]);
    const own = await eventsOf(world, world.account1.as, ['membership.added']);
    expect(own.at(-1)?.actor).toEqual({ kind: 'scim', id: expect.any(Number) });
  });

  it('becomes a member with the lowest role, and is read back by the directory as it was sent', async () => {
    await using world = await startDirectoryWorld();
    const userName = world.address();
    // As Okta sends it.
    const made = await world.scim('POST', '/Users', {
      body: {
        schemas: [USER_SCHEMA],
        userName: userName.toUpperCase(),
        name: { givenName: 'Zoë', familyName: 'Müller' },
        emails: [{ primary: true, value: userName, type: 'work' }],
        displayName: 'Zoë Müller',
        locale: 'en-US',
        externalId: '00ujl29u0le5T6Aj10h7',
        groups: [],
        password: '1mz050nq',
        active: true,
      },
    });
    expect([made.status, made.type]).toEqual([201, 'application/scim+json; charset=utf-8']);
    const id = String(made.body['id']);
    expect(made.headers.get('location')).toMatch(new RegExp(`/scim/v2/Users/${id}$`));
    expect(made.body).toMatchObject({
      schemas: [USER_SCHEMA],
      userName,
      externalId: '00ujl29u0le5T6Aj10h7',
      name: { givenName: 'Zoë', familyName: 'Müller', formatted: 'Zoë Müller' },
      displayName: 'Zoë Müller',
      emails: [{ value: userName, type: 'work', primary: true }],
      active: true,
      groups: [],
      meta: { resourceType: 'User', version: made.headers.get('etag') },
    });
    expect(made.body).not.toHaveProperty('password');
    const person = (await peopleOf(world)).find(({ email }) => email === userName);
    expect([person?.['role_type'], id === String(person?.id)]).toEqual([5, false]);
    const read = await world.scim('GET', `/Users/${id}`, { on: world.other });
    expect(read.body).toEqual(made.body);
    expect(await memberAudience(world.db, person?.id ?? 0, { isEnding: false })).toMatchObject({
      accounts: [world.account1.id],
    });
  });

  it('may have attributes that Entra sends and we do not keep, which are ignored', async () => {
    await using world = await startDirectoryWorld();
    const userName = world.address();
    const made = await world.scim('POST', '/Users', {
      body: {
        schemas: [USER_SCHEMA, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
        externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
        userName,
        active: 'True',
        displayName: 'Lennie',
        emails: [{ primary: 'True', type: 'work', value: userName }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Adrienne McCullough', familyName: 'McCullough', givenName: 'Adrienne' },
        title: 'Engineer',
        phoneNumbers: [{ type: 'work', value: '1' }],
        roles: [],
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'R&D' },
      },
    });
    expect([made.status, made.body['active']]).toEqual([201, true]);
    const path = `/Users/${String(made.body['id'])}`;
    const changed = await world.scim('PATCH', path, {
      body: patch(
        { op: 'Replace', path: 'displayName', value: 'Pvlo' },
        { op: 'Add', path: 'emails[type eq "work"].value', value: `other.${userName}` },
        { op: 'Replace', path: 'name.familyName', value: 'Reyes' },
        {
          op: 'Add',
          path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
          value: 'x',
        },
        { op: 'Replace', path: 'phoneNumbers[type eq "work"].value', value: '2' },
        { op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId', value: 'ext-2' },
      ),
    });
    expect([changed.status, changed.scimType]).toEqual([200, undefined]);
    expect(changed.body).toMatchObject({
      displayName: 'Pvlo',
      externalId: 'ext-2',
      name: { familyName: 'Reyes', givenName: 'Adrienne' },
      emails: [{ value: `other.${userName}`, type: 'work', primary: true }],
    });
    expect(changed.headers.get('etag')).not.toBe(made.headers.get('etag'));
  });

  it('exists once: the same address or externalId is refused, and nothing changes', async () => {
    await using world = await startDirectoryWorld();
    const first = await world.provision({ externalId: 'a' });
    const second = await world.provision({ externalId: 'b' });
    const before = await world.scim('GET', '/Users');
    const again = { userName: first.userName.toUpperCase(), displayName: 'Other' };
    const other = { userName: world.address(), externalId: 'a' };
    for (const body of [again, other]) {
      const { status, scimType } = await world.scim('POST', '/Users', { body });
      expect([status, scimType]).toEqual([409, 'uniqueness']);
    }
    const stolen = await world.scim('PATCH', `/Users/${second.id}`, {
      body: patch(
        { op: 'replace', path: 'externalId', value: 'a' },
        { op: 'replace', path: 'active', value: false },
      ),
    });
    expect([stolen.status, stolen.scimType]).toEqual([409, 'uniqueness']);
    expect((await world.scim('GET', '/Users')).body).toEqual(before.body);
    // An invited member is there already.
    const owner = listed(before).find(
      ({ userName }) => ![first.userName, second.userName].includes(userName),
    );
    expect(owner).toBeDefined();
    // Another account has its own names.
    const foreign = await world.account();
    const as = { token: foreign.owner.token, accountId: foreign.id };
    await insertTestDomain(world.db, {
      accountId: foreign.id,
      createdById: foreign.owner.id,
      domain: 'elsewhere.example',
      isVerified: true,
    });
    const { token } = await world.addToken(as);
    const elsewhere = { userName: 'a@elsewhere.example', externalId: 'a' };
    expect((await world.scim('POST', '/Users', { token, body: elsewhere })).status).toBe(201);
  });

  it('must have an address in a domain that the account has verified', async () => {
    await using world = await startDirectoryWorld();
    const foreign = await world.account();
    const taken = { accountId: foreign.id, createdById: foreign.owner.id, domain: 'taken.example' };
    await insertTestDomain(world.db, { ...taken, isVerified: true });
    await insertTestDomain(world.db, {
      accountId: world.account1.id,
      createdById: world.account1.owner.id,
      domain: 'pending.example',
    });
    for (const userName of [
      'a@taken.example',
      'a@pending.example',
      `a@sub.${world.domain}`,
      `a@${world.domain}.evil.example`,
      'no address',
      '',
      7,
      null,
      ['a'],
      { $ne: '' },
    ]) {
      const { status, scimType } = await world.scim('POST', '/Users', { body: { userName } });
      expect([userName, status, scimType]).toEqual([userName, 400, 'invalidValue']);
    }
    const emails = [{ value: 'a@gmail.com', type: 'work' }];
    const told = await world.scim('POST', '/Users', { body: { userName: world.address(), emails } });
    expect([told.status, told.scimType]).toEqual([400, 'invalidValue']);
    expect((await peopleOf(world)).length).toBe(1);
  });

  it('is linked to the member with the address, and takes over a member whose owner never proved it', async () => {
    await using world = await startDirectoryWorld();
    const proven = await memberAt(world, { isProven: true });
    const planted = await memberAt(world, { isProven: false });
    const staff = await memberAt(world, { isPersonnel: true, roleType: 6 });
    for (const { email } of [proven, planted])
      expect((await world.scim('POST', '/Users', { body: { userName: email } })).status).toBe(201);
    const refused = await world.scim('POST', '/Users', { body: { userName: staff.email } });
    expect([refused.status, refused.scimType]).toEqual([400, 'invalidValue']);
    const seen = async (token: string) => (await world.service.send('/auth/me', { token })).status;
    expect([await seen(proven.token), await seen(planted.token), await seen(staff.token)]).toEqual([
      200, 401, 200,
    ]);
    const people = (await peopleOf(world)).map(({ id }) => id);
    expect([people.includes(proven.id), people.includes(planted.id), people.includes(staff.id)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('loses access by the next request on every node, and comes back with the same id', async () => {
    await using world = await startDirectoryWorld();
    const member = await memberAt(world, { isProven: true });
    const made = await world.scim('POST', '/Users', { body: { userName: member.email, externalId: 'x' } });
    const path = `/Users/${String(made.body['id'])}`;
    const reaches = async () =>
      (await world.call('account.listMine', {}, { token: member.token }, { on: world.other })).data;
    expect(await reaches()).toHaveLength(1);
    for (const value of ['False', false, 'false']) {
      const off = await world.scim('PATCH', path, {
        body: patch({ op: 'replace', value: { active: value } }),
      });
      expect([off.status, off.body['active']]).toEqual([200, false]);
      expect(await reaches()).toEqual([]);
      const on = await world.scim('PATCH', path, {
        body: patch({ op: 'Replace', path: 'active', value: 'True' }),
      });
      expect([on.status, on.body['active']]).toEqual([200, true]);
      expect(await reaches()).toHaveLength(1);
    }
    expect((await world.scim('DELETE', path)).status).toBe(204);
    expect(await reaches()).toEqual([]);
    expect((await world.scim('GET', path)).status).toBe(404);
    expect((await world.scim('DELETE', path)).status).toBe(404);
    expect(
      (await world.scim('PATCH', path, { body: patch({ op: 'replace', value: { active: true } }) })).status,
    ).toBe(404);
    const back = await world.scim('POST', '/Users', { body: { userName: member.email, externalId: 'x' } });
    expect([back.status, back.body['id']]).toEqual([201, made.body['id']]);
    expect(await reaches()).toHaveLength(1);
  });

  it('is never the last owner, or one who may sign in without the company', async () => {
    await using world = await startDirectoryWorld();
    const { owner, id: accountId } = world.account1;
    const second = await world.member();
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const { memberships } = world.db.tables;
    await world.db.insert(memberships, { memberId: second.id, accountId, roleType: 1, ...at });
    const exempt = await world.member();
    await world.db.insert(memberships, { memberId: exempt.id, accountId, roleType: 1, ...at });
    await insertTestSso(world.db, {
      accountId,
      createdById: owner.id,
      required: true,
      exemptIds: [exempt.id],
    });
    const users = listed(await world.scim('GET', '/Users'));
    const idOf = (email: string) => users.find(({ userName }) => userName === email)?.id ?? '';
    for (const { email } of [owner, exempt]) {
      const path = `/Users/${idOf(email)}`;
      const off = { body: patch({ op: 'replace', path: 'active', value: false }) };
      for (const reply of [await world.scim('PATCH', path, off), await world.scim('DELETE', path)])
        expect([reply.status, reply.scimType]).toEqual([409, 'sole_owner']);
    }
    expect((await world.scim('DELETE', `/Users/${idOf(second.email)}`)).status).toBe(204);
  });

  it('returns with a role that the directory cannot give, unless the organization itself ended the access', async () => {
    await using world = await startDirectoryWorld();
    const { id: accountId, as } = world.account1;
    const at = { createdAtMs: 1, updatedAtMs: 1 };
    const { customRoles, memberships } = world.db.tables;
    const role = { accountId, permissions: ['billing.view'], roleType: 4, ...at };
    const kept = await world.db.insert(customRoles, { ...role, name: 'Kept', nameKey: 'kept' });
    const gone = await world.db.insert(customRoles, { ...role, name: 'Gone', nameKey: 'gone' });
    const join = async (roleType: number, customRoleId: number | null = null) => {
      const member = await memberAt(world, { isProven: true });
      const id = await world.db.insert(memberships, {
        memberId: member.id,
        accountId,
        roleType,
        customRoleId,
        ...at,
      });
      const user = `u${id}`;
      const path = `/Users/${user}`;
      const turn = async (active: boolean) => {
        const body = patch({ op: 'replace', path: 'active', value: active });
        expect((await world.scim('PATCH', path, { body })).status).toBe(200);
      };
      const now = async () => {
        const rows = await world.db.select().from(memberships);
        const row = rows.find((each) => each.id === id);
        return [row?.isDeleted, row?.roleType, row?.customRoleId];
      };
      return { ...member, path, turn, now };
    };
    for (const [roleType, customRoleId, after] of [
      [0, null, 0],
      [1, null, 1],
      [6, null, 6],
      [2, null, 5],
      [4, kept, 4],
    ] as const) {
      const user = await join(roleType, customRoleId);
      await user.turn(false);
      await user.turn(true);
      expect(await user.now()).toEqual([false, after, customRoleId]);
    }
    const custom = await join(4, gone);
    await custom.turn(false);
    expect((await world.call('role.remove', { customRoleId: gone }, as)).status).toBe(200);
    await custom.turn(true);
    expect(await custom.now()).toEqual([false, 5, null]);

    const left = await join(1);
    await world.call('membership.leave', {}, { token: left.token, accountId });
    expect(await left.now()).toEqual([true, 1, null]);
    await world.scim('POST', '/Users', { body: { userName: left.email } });
    expect(await left.now()).toEqual([false, 5, null]);

    const deleted = await join(1);
    await deleted.turn(false);
    expect((await world.scim('DELETE', deleted.path)).status).toBe(204);
    await world.scim('POST', '/Users', { body: { userName: deleted.email } });
    expect(await deleted.now()).toEqual([false, 5, null]);
  });

  it('does not come back through an earlier invitation, even if an owner removed them', async () => {
    await using world = await startDirectoryWorld();
    const { account1, call, db, service } = world;
    const { id: accountId } = account1;
    const off = { body: patch({ op: 'replace', value: { active: false } }) };
    const ways: Record<string, (path: string, memberId: number) => Promise<unknown>> = {
      'switched off': (path) => world.scim('PATCH', path, off),
      deleted: (path) => world.scim('DELETE', path),
      'removed by an owner': (_, memberId) => call('membership.remove', { memberId }, account1.as),
    };
    for (const [name, end] of Object.entries(ways)) {
      const member = await memberAt(world, { isProven: true });
      const invited = { accountId, inviterId: account1.owner.id, email: member.email };
      const invitationId = await insertTestInvitation(db, invited);
      await linkOf(service, invitationId);
      const made = await world.scim('POST', '/Users', { body: { userName: member.email } });
      await end(`/Users/${String(made.body['id'])}`, member.id);
      const { code } = await call('invitation.accept', { invitationId }, { token: member.token });
      expect([name, code]).toEqual([name, 'invitation_revoked']);
      expect((await call('account.listMine', {}, { token: member.token })).data).toEqual([]);
    }
    const lines = z.array(z.object({ action: z.string() }));
    const audit = lines.parse((await call('audit.listOwn', {}, account1.as)).data);
    expect(audit.filter(({ action }) => action === 'invitation.revoked')).toHaveLength(3);
  });

  it('stays switched off if staff or an owner switched it off', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision();
    const place = { table: 'memberships', column: 'active', by: 'id', id: Number(id.slice(1)) };
    await changeColumn(world.db, place, 0);
    const on = await world.scim('PATCH', `/Users/${id}`, {
      body: patch({ op: 'replace', path: 'active', value: true }),
    });
    expect([on.status, on.scimType]).toEqual([400, 'invalidValue']);
    const { body } = await world.scim('GET', `/Users/${id}`);
    expect(body).toMatchObject({ active: false });
    expect((await world.scim('DELETE', `/Users/${id}`)).status).toBe(204);
    const again = await world.scim('POST', '/Users', { body: { userName: body['userName'] } });
    expect([again.status, again.scimType]).toEqual([400, 'invalidValue']);
    const { memberships } = world.db.tables;
    const rows = await world.db.select({ id: memberships.id, active: memberships.active }).from(memberships);
    expect(rows.find((row) => row.id === place.id)?.active).toBe(false);
  });

  it('is reported to have lost access once, whether staff or the directory switched it off before it is deleted', async () => {
    await using world = await startDirectoryWorld();
    const [byStaff, byDirectory] = [await world.provision(), await world.provision()];
    const place = { table: 'memberships', column: 'active', by: 'id', id: Number(byStaff.id.slice(1)) };
    await changeColumn(world.db, place, 0);
    const off = patch({ op: 'replace', path: 'active', value: false });
    expect((await world.scim('PATCH', `/Users/${byDirectory.id}`, { body: off })).status).toBe(200);
    for (const { id } of [byStaff, byDirectory])
      expect((await world.scim('DELETE', `/Users/${id}`)).status).toBe(204);
    const { auditLog, events } = world.db.tables;
    const removed = <Row extends { readonly type?: string; readonly action?: string }>(
      rows: readonly Row[],
    ) => rows.filter(({ type, action }) => (type ?? action) === 'membership.removed');
    const role = { roleType: 5, customRoleId: null };
    expect(removed(await world.db.select().from(auditLog)).map(({ before }) => before)).toEqual([
      role,
      { ...role, active: false },
    ]);
    // The switching off of the other was reported when it happened.
    expect(removed(await world.db.select().from(events))).toHaveLength(1);
  });

  it('stays switched off if staff switched it off and then removed it', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision();
    const place = { table: 'memberships', by: 'id', id: Number(id.slice(1)) };
    await changeColumn(world.db, { ...place, column: 'active' }, 0);
    await changeColumn(world.db, { ...place, column: 'is_deleted' }, 1);
    const on = await world.scim('PATCH', `/Users/${id}`, {
      body: patch({ op: 'replace', path: 'active', value: true }),
    });
    expect([on.status, on.scimType]).toEqual([400, 'invalidValue']);
    expect((await world.scim('GET', `/Users/${id}`)).body).toMatchObject({ active: false });
  });
});

describe('a change of a directory user', () => {
  it('is refused as a whole when a part is refused, and the answer says why', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision({ displayName: 'Before', externalId: 'x' });
    const path = `/Users/${id}`;
    const before = (await world.scim('GET', path)).body;
    const good = { op: 'replace', path: 'displayName', value: 'After' };
    const refusals: [object, string][] = [
      [{ op: 'replace', path: 'favoriteColor', value: 'red' }, 'noTarget'],
      [{ op: 'add', path: '__proto__.polluted', value: 'yes' }, 'noTarget'],
      [{ op: 'add', path: 'constructor.prototype.polluted', value: 'yes' }, 'noTarget'],
      [{ op: 'add', path: 'name.__proto__', value: 'yes' }, 'noTarget'],
      [{ op: 'replace', value: { favoriteColor: 'red' } }, 'noTarget'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'replace', path: 'password', value: 'secret' }, 'noTarget'],
      [{ op: 'replace', path: 'active', value: 'maybe' }, 'invalidValue'],
      [{ op: 'replace', path: 'active', value: 1 }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: { a: 1 } }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'x'.repeat(201) }, 'invalidValue'],
      [{ op: 'replace', path: 'displayName', value: 'a\u0000b' }, 'invalidValue'],
      [{ op: 'replace', path: 'name', value: 'Ada' }, 'invalidValue'],
      [{ op: 'replace', path: 'emails', value: [7] }, 'invalidValue'],
      [{ op: 'replace', path: 'id', value: 'u1' }, 'mutability'],
      [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
      [{ op: 'remove', path: 'userName' }, 'mutability'],
      [{ op: 'replace', path: 'emails[type eq "work".value', value: 'x' }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[type zz "work"].value', value: 'x' }, 'invalidFilter'],
      [{ op: 'replace', path: 7, value: 'x' }, 'invalidPath'],
      [{ op: 'move', path: 'displayName', value: 'x' }, 'invalidSyntax'],
      [{ path: 'displayName', value: 'x' }, 'invalidSyntax'],
    ];
    for (const [operation, kind] of refusals) {
      const { status, scimType } = await world.scim('PATCH', path, { body: patch(good, operation) });
      expect([operation, status, scimType]).toEqual([operation, 400, kind]);
    }
    for (const Operations of [undefined, [], 'x', [null], { 0: good }]) {
      const { status, scimType } = await world.scim('PATCH', path, { body: { Operations } });
      expect([Operations, status, scimType]).toEqual([Operations, 400, 'invalidSyntax']);
    }
    const raw = `{"Operations":[{"op":"replace","value":{"__proto__":{"polluted":"yes"},"displayName":"x"}}]}`;
    expect((await world.scim('PATCH', path, { body: raw })).scimType).toBe('noTarget');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect((await world.scim('GET', path)).body).toEqual(before);
  });

  it('applies only to the version that was read, for one of several concurrent changes', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision();
    const path = `/Users/${id}`;
    const read = await world.scim('GET', path);
    const version = read.headers.get('etag') ?? '';
    expect(version).toMatch(/^W\/".+"$/);
    const unchanged = await world.scim('GET', path, { headers: { 'if-none-match': version } });
    expect([unchanged.status, unchanged.body]).toEqual([304, {}]);
    const headers = { 'if-match': version };
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, at) => {
        const on = at % 2 === 0 ? world.service : world.other;
        const body = patch({ op: 'replace', path: 'displayName', value: `Name ${at}` });
        return world.scim('PATCH', path, { on, headers, body });
      }),
    );
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
    expect((await world.scim('DELETE', path, { headers })).status).toBe(412);
    const put = { userName: String(read.body['userName']), displayName: 'Put' };
    expect((await world.scim('PUT', path, { headers, body: put })).status).toBe(412);
    expect((await world.scim('PUT', path, { headers: { 'if-match': '*' }, body: put })).status).toBe(200);
    expect((await world.scim('GET', path, { headers: { 'if-none-match': version } })).status).toBe(200);
  });

  it('of name and address applies to a member whom the directory created, and to nobody else', async () => {
    await using world = await startDirectoryWorld();
    const own = await world.provision({ name: { givenName: 'Ada', familyName: 'Byron' } });
    const other = await memberAt(world, { isProven: true });
    const joined = await world.scim('POST', '/Users', { body: { userName: other.email } });
    const [address, foreign] = [world.address(), world.address()];
    const rename = { op: 'replace', path: 'name.familyName', value: 'Lovelace' };
    const move = (value: string) => ({ op: 'replace', path: 'userName', value });
    const path = `/Users/${own.id}`;
    const taken = await world.scim('PATCH', path, { body: patch(move(other.email)) });
    expect([taken.status, taken.scimType]).toEqual([409, 'uniqueness']);
    const outside = await world.scim('PATCH', path, { body: patch(move('a@gmail.com')) });
    expect([outside.status, outside.scimType]).toEqual([400, 'invalidValue']);
    const moved = await world.scim('PATCH', path, { body: patch(rename, move(address)) });
    expect([moved.status, moved.body['userName'], moved.body['id']]).toEqual([200, address, own.id]);
    const othersPath = `/Users/${String(joined.body['id'])}`;
    const kept = await world.scim('PATCH', othersPath, { body: patch(rename, move(foreign)) });
    expect([kept.status, kept.scimType]).toEqual([400, 'mutability']);
    expect((await world.scim('PATCH', othersPath, { body: patch(rename) })).status).toBe(200);
    const people = await peopleOf(world);
    const named = (email: string) => people.find((person) => person.email === email)?.['lastName'];
    expect([named(address), named(other.email), named(own.userName)]).toEqual([
      'Lovelace',
      'Member',
      undefined,
    ]);
  });

  it('of the address is refused once a member has moved to their own account or left, and so is their return', async () => {
    await using world = await startDirectoryWorld();
    const managed = async () => {
      const member = await memberAt(world, { isProven: true });
      const at = { table: 'members', by: 'id', id: member.id };
      await changeColumn(world.db, { ...at, column: 'managed_by_account_id' }, world.account1.id);
      const made = await world.scim('POST', '/Users', { body: { userName: member.email } });
      const use = (email: string) =>
        Promise.all(
          ['email', 'email_key', 'sid', 'sid_key'].map((column) =>
            changeColumn(world.db, { ...at, column }, email),
          ),
        );
      return { ...member, path: `/Users/${String(made.body['id'])}`, use };
    };
    const move = () => patch({ op: 'replace', path: 'userName', value: world.address() });
    const active = (value: boolean) => patch({ op: 'replace', path: 'active', value });
    const refused = async (path: string, body: object) => {
      const { status, scimType } = await world.scim('PATCH', path, { body });
      return [status, scimType];
    };
    const own = await managed();
    await own.use(`own${own.id}@elsewhere.example`);
    expect(await refused(own.path, move())).toEqual([400, 'mutability']);
    expect(await refused(own.path, active(false))).toEqual([200, undefined]);
    expect(await refused(own.path, active(true))).toEqual([400, 'invalidValue']);
    const both = patch(...move().Operations, ...active(true).Operations);
    expect(await refused(own.path, both)).toEqual([400, 'invalidValue']);

    const gone = await managed();
    const left = await world.call(
      'membership.leave',
      {},
      { token: gone.token, accountId: world.account1.id },
    );
    expect(left.status).toBe(200);
    for (const body of [move(), active(true), move()])
      expect([(await world.scim('PATCH', gone.path, { body })).body['userName'] ?? gone.email]).toEqual([
        gone.email,
      ]);

    const off = await managed();
    expect(await refused(off.path, active(false))).toEqual([200, undefined]);
    expect(await refused(off.path, move())).toEqual([400, 'mutability']);
    expect(await refused(off.path, active(true))).toEqual([200, undefined]);
    expect(await refused(off.path, move())).toEqual([200, undefined]);
  });

  it('by PUT clears what it leaves out, and does not change access', async () => {
    await using world = await startDirectoryWorld();
    const { id, userName } = await world.provision({ externalId: 'x', displayName: 'Shown' });
    await world.scim('PATCH', `/Users/${id}`, { body: patch({ op: 'replace', value: { active: false } }) });
    const put = await world.scim('PUT', `/Users/${id}`, {
      body: { userName, name: { givenName: 'Ada', familyName: 'Byron' } },
    });
    expect(put.body).toMatchObject({ active: false, displayName: 'Ada Byron' });
    expect(put.body).not.toHaveProperty('externalId');
  });

  it('is authorized by the token as it is at the time of the write', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision();
    const path = `/Users/${id}`;
    const tokens = z.array(z.object({ id: z.int() }));
    const [token] = tokens.parse((await world.call('scim.listTokens', {}, world.account1.as)).data);
    const off = { body: patch({ op: 'replace', value: { active: false } }) };
    const replies = await Promise.all([
      ...Array.from({ length: 6 }, () => world.scim('PATCH', path, { on: world.other, ...off })),
      world.call('scim.removeToken', { tokenId: token?.id }, world.account1.as),
    ]);
    expect(replies.every(({ status }) => [200, 401].includes(status))).toBe(true);
    const later = await world.scim('PATCH', path, { on: world.other, ...off });
    expect(later.status).toBe(401);
  });

  it('reaches no user of another account, whatever the id', async () => {
    await using world = await startDirectoryWorld();
    const { id } = await world.provision();
    const foreign = await world.account();
    const { token } = await world.addToken({ token: foreign.owner.token, accountId: foreign.id });
    const body = patch({ op: 'replace', value: { active: false } });
    for (const each of [id, 'u0', 'u-1', 'u1e3', `u${'9'.repeat(30)}`, 'g1', '%00', `${id}'--`]) {
      const path = `/Users/${encodeURIComponent(each)}`;
      for (const reply of [
        await world.scim('GET', path, { token }),
        await world.scim('PATCH', path, { token, body }),
        await world.scim('DELETE', path, { token }),
      ])
        expect([each, reply.status]).toEqual([each, 404]);
    }
    expect((await world.scim('GET', '/Users', { token })).body).toMatchObject({ totalResults: 1 });
    expect((await world.scim('GET', `/Users/${id}`)).body).toMatchObject({ active: true });
  });
});
