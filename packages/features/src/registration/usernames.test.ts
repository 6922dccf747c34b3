import { randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../test/change-column.js';
import { partnerClient } from '../test/partner-client.js';
import { type SupportWorld, startSupportWorld } from '../test/support-world.js';
import { renewUsername } from './usernames.js';

const PASSWORD = 'Analytical-Engine-1843';
const VICTIM = 'ceo@victim.test';

/** Spellings that are compared as the victim's address. */
const SPELLINGS = [VICTIM, 'CEO@victim.test', 'ceo＠victim.test', 'céo@victim.test', 'ceo﹫victim.test'];

const usernameOf = async (world: SupportWorld, memberId: number) => {
  const rows = await world.db.select().from(world.db.tables.members);
  return rows.find(({ id }) => id === memberId)?.username;
};

const newest = async (world: SupportWorld, kind: string, email: string) =>
  (await readOutbox(world.main)).find((mail) => mail.kind === kind && mail.to === email)?.token;

/** Every way to write a username: the status, and the field of the refusal. */
const WAYS: Readonly<
  Record<string, (world: SupportWorld, username: string) => Promise<{ status: number; fields: string[] }>>
> = {
  registration: (world, username) =>
    sent(world, '/register', { body: { username, email: 'mallory@many.test', password: PASSWORD } }),
  'an invitation': async (world, username) => {
    const email = `${randomId()}@many.test`;
    await world.call('invitation.create', { email, roleType: 5 }, { ...world.root, accountId: 2 });
    const token = await newest(world, 'invitation', email);
    return sent(world, '/v1/invitation/join', { body: { token, username, password: PASSWORD } });
  },
  'a partner': async (world, username) => {
    const { token } = await partnerClient(world.main);
    const body = { email: `${randomId()}@many.test`, firstName: 'Ada', lastName: 'Byron', username };
    return sent(world, '/partnerAuth/registerUser', { bearer: token, body });
  },
  'the profile of a member': async (world, username) => {
    const { token } = await world.member();
    return sent(world, '/v1/profile/update', { token, body: { username } });
  },
  'the profile of staff': async (world, username) => {
    const response = await world.admin.send('/updateProfile', {
      token: world.root.token,
      body: { username },
    });
    return outcome(response);
  },
};

async function sent(world: SupportWorld, path: string, request: Parameters<SupportWorld['main']['send']>[1]) {
  return outcome(await world.main.send(path, request));
}

async function outcome(response: Response) {
  const { error } = (await response.json()) as { error?: { issues?: { path: string }[] } };
  return { status: response.status, fields: (error?.issues ?? []).map(({ path }) => path) };
}

describe('a username', () => {
  it.each(Object.entries(WAYS))("cannot be another member's address, by %s", async (_name, write) => {
    await using world = await startSupportWorld();
    for (const username of SPELLINGS)
      expect([username, await write(world, username)]).toEqual([
        username,
        { status: 400, fields: ['username'] },
      ]);
    const rows = await world.db.select().from(world.db.tables.members);
    expect(rows.filter(({ usernameKey }) => usernameKey.includes('@'))).toEqual([]);
    expect((await write(world, 'plain-name')).status).toBe(200);
  });

  it("may be the member's own address, and is replaced when the address changes", async () => {
    await using world = await startSupportWorld();
    const email = 'ada@lovelace.test';
    const registered = await world.main.send('/register', {
      body: { username: 'Ada@Lovelace.test', email, password: PASSWORD },
    });
    const { userId, token } = (await registered.json()) as { userId: number; token: string };
    expect(await usernameOf(world, userId)).toBe('Ada@Lovelace.test');
    // Somebody has the name that would come first.
    const taken = { username: 'ada', email: 'other@lovelace.test', password: PASSWORD };
    expect((await world.main.send('/register', { body: taken })).status).toBe(200);
    const moved = 'ada@elsewhere.test';
    await world.call('email.change', { email: moved }, { token }, { on: world.main });
    const confirmation = { token: await newest(world, 'activation', moved) };
    expect((await world.main.send('/confirmationDetails', { body: confirmation })).status).toBe(200);
    expect(await usernameOf(world, userId)).toMatch(/^ada-[a-z0-9]+$/);
    const found = await world.call('member.search', { search: 'elsewhere' }, world.root);
    expect(found.data).toMatchObject([{ id: userId, email: moved }]);
    const again = await world.call('profile.update', { username: moved }, { token }, { on: world.main });
    expect([again.status, await usernameOf(world, userId)]).toEqual([200, moved]);
  });

  it('of a colleague who has not joined is replaced when the address is corrected', async () => {
    await using world = await startSupportWorld();
    const person = { email: 'wrong@gatehouse.test', firstName: 'Nora', lastName: 'Lind', roleType: 6 };
    const { data } = await world.call('personnel.save', person, world.root);
    const { id: personnelId } = data as { id: number };
    for (const column of ['username', 'username_key'])
      await changeColumn(world.db, { table: 'members', column, id: personnelId }, person.email);
    const fixed = { personnelId, email: 'right@gatehouse.test' };
    expect((await world.call('personnel.save', fixed, world.root)).status).toBe(200);
    expect(await usernameOf(world, personnelId)).toBe('right');
  });
});

describe("an existing username that is another person's address", () => {
  async function plantedName(world: SupportWorld) {
    const planter = await world.member({ isProven: true });
    for (const column of ['username', 'username_key', 'first_name_key', 'last_name_key'])
      await changeColumn(world.db, { table: 'members', column, id: planter.id }, VICTIM);
    return planter;
  }

  it('is found by no search of staff in any field, and does not hide the owner', async () => {
    await using world = await startSupportWorld();
    const planter = await plantedName(world);
    const searches = async (search: string) => {
      const found = [];
      for (const name of ['member.search', 'member.owners', 'personnel.list', 'personnel.searchManagers'])
        found.push(...((await world.call(name, { search }, world.root)).data as { id: number }[]));
      return [...new Set(found.map(({ id }) => id))];
    };
    for (const search of [VICTIM, 'ceo', 'victim.test', 'CEO＠victim'])
      expect([search, await searches(search)]).toEqual([search, []]);
    expect(await searches(planter.email)).toEqual([planter.id]);
    const owner = { username: 'chief', email: VICTIM, password: PASSWORD };
    const registered = await world.main.send('/register', { body: owner });
    const { userId } = (await registered.json()) as { userId: number };
    expect(await searches(VICTIM)).toEqual([userId]);
  });

  it('does not sign in, and is replaced when its member becomes staff', async () => {
    await using world = await startSupportWorld();
    const planter = await plantedName(world);
    expect(await world.signIn(VICTIM)).toBeUndefined();
    const answer = await world.call('personnel.promote', { memberId: planter.id }, world.root);
    expect(answer.data).toMatchObject({ id: planter.id, email: planter.email });
    expect(await usernameOf(world, planter.id)).not.toContain('@');
  });

  it("stays while nothing changes, and is left alone if it is the member's own address", async () => {
    await using world = await startSupportWorld();
    const own = await world.member();
    for (const column of ['username', 'username_key'])
      await changeColumn(world.db, { table: 'members', column, id: own.id }, own.email);
    await changeAccess(world.db, { members: [own.id] }, (tx) =>
      renewUsername(tx, { memberId: own.id, nowMs: world.nowMs() }),
    );
    expect(await usernameOf(world, own.id)).toBe(own.email);
  });
});
