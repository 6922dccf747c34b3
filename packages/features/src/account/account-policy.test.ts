import { router as adminRouter } from '@gatehouse/api-admin/router';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { insertPasskey } from '@gatehouse/db/queries/member-passkeys';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { createAuthenticator, type RunningService, type TestMember, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openMail } from '../mail/queue-mail.js';
import { type FactorWorld, startFactorWorld } from '../test/factor-world.js';
import { addPasskey, startPasskeyWorld } from '../test/passkey-world.js';

const DAY_MS = 86_400_000;

const OPTIONS = { timeout: 120_000 };

const ACCOUNT = 1;

/** The procedures that are open below the level that staff need. */
const OPEN = [
  'factor.list',
  'factor.newBackupCodes',
  'factor.switch',
  'passkey.add',
  'passkey.addOptions',
  'passkey.list',
  'passkey.remove',
  'passkey.rename',
  'session.end',
  'session.me',
  'totp.confirm',
  'totp.remove',
  'totp.start',
  'verification.options',
  'verification.prove',
  'verification.sendEmail',
];

/** Needs no recent verification in the session of a recovery, which may call no other procedure that needs one. */
const IN_RECOVERY = [
  'factor.list',
  'passkey.add',
  'passkey.addOptions',
  'passkey.list',
  'session.end',
  'session.me',
  'totp.confirm',
  'totp.start',
  'verification.options',
  'verification.prove',
  'verification.sendEmail',
];

async function codeOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status === 200) return 'ok';
  if (!text.startsWith('{')) return String(response.status);
  const { error } = JSON.parse(text) as { error?: { code?: string } };
  return error?.code ?? String(response.status);
}

interface Seen {
  memberships?: { accountId: number }[];
  grants?: { accountId: number }[];
}

const reach = async (on: RunningService, token: string, accountId = ACCOUNT) =>
  codeOf(await on.send('/v1/member/list', { token, accountId }));

async function setPolicy(
  world: FactorWorld,
  level: number,
  fromMs: number | null = null,
  accountId = ACCOUNT,
) {
  const policy = { requiredLevel: level, requiredFromMs: fromMs, requiredUntilThen: 1 };
  await changeAccess(world.db, { accounts: [accountId] }, (tx) =>
    setAccountPolicy(tx, { accountId, nowMs: world.nowMs(), ...policy }),
  );
}

async function set(world: FactorWorld, as: Pick<TestMember, 'token'>, input: object, accountId = ACCOUNT) {
  const response = await world.main.send('/v1/accountPolicy/set', {
    token: as.token,
    accountId,
    body: input,
  });
  const body = (await response.json()) as { data?: Record<string, unknown>; error?: { code: string } };
  return { code: response.status === 200 ? 'ok' : body.error?.code, data: body.data };
}

async function codesOfEvery(
  node: RunningService,
  router: Parameters<typeof listProcedures>[0],
  token: string,
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const guarded = listProcedures(router).filter(({ rule }) =>
    ['member', 'account', 'staff', 'root'].includes(rule?.who ?? ''),
  );
  for (const { name, type, rule } of guarded.filter(({ name: each }) => each !== 'session.end')) {
    const accountId = rule?.who === 'account' ? ACCOUNT : undefined;
    const path = `/v1/${name.replaceAll('.', '/')}`;
    const body = type === 'query' ? {} : { body: {} };
    codes.set(name, await codeOf(await node.send(path, { token, accountId, ...body })));
  }
  return codes;
}

describe('the level that an account requires', () => {
  it(
    'applies to the next request on the other node, also for tokens without a row and for staff',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const { other, main } = world;
      const owner = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
      const plain = await world.member({ memberships: { [ACCOUNT]: 1 } });
      const rowless = await world.member({ memberships: { [ACCOUNT]: 1 }, withSession: false });
      const root = await world.member({ isPersonnel: true, roleType: 0 });
      const people = [owner, plain, rowless, root];
      for (const { token } of people) expect(await reach(other, token)).toBe('ok');

      for (const graceDays of [0, 6])
        expect((await set(world, plain, { level: 2, graceDays })).code).toBe('policy_excludes_you');
      const later = await set(world, plain, { level: 2, graceDays: 7 });
      expect([later.code, later.data]).toMatchObject(['ok', { level: 2, current: 1 }]);
      expect(await reach(other, plain.token)).toBe('ok');
      expect((await set(world, plain, { level: 1 })).code).toBe('ok');
      const made = await set(world, owner, { level: 2 });
      expect(made.code).toBe('ok');
      expect(made.data).toMatchObject({ level: 2, from: null, current: 2 });
      const told = await Promise.all(people.map(({ token }) => reach(other, token)));
      expect(told).toEqual(['ok', 'enrolment_required', 'enrolment_required', 'enrolment_required']);
      expect(await reach(main, plain.token)).toBe('enrolment_required');
      expect((await set(world, owner, { level: 3 })).code).toBe('policy_excludes_you');
      // Passkeys are not configured here.
      expect((await set(world, owner, { level: 3, graceDays: 7 })).code).toBe('passkeys_not_configured');

      expect((await set(world, owner, { level: 1 })).code).toBe('ok');
      for (const { token } of people) expect(await reach(other, token)).toBe('ok');
      const lines = (await world.db.select().from(world.db.tables.auditLog)).map(({ action }) => action);
      expect(lines.filter((action) => action === 'account.policy-set')).toHaveLength(4);
    },
  );

  it(
    'is announced to its owner by mail, which names the account only as other mails do',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const owner = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
      const { accounts, mailOutbox } = world.db.tables;
      const namedIn = async (name: string, level: number) => {
        await changeAccess(world.db, { accounts: [ACCOUNT] }, (tx) =>
          tx.write(tx.update(accounts).set({ name })),
        );
        expect((await set(world, owner, { level })).code).toBe('ok');
        const rows = await world.db.select().from(mailOutbox);
        const row = rows.findLast(({ kind, memberId }) => kind === 'policyChanged' && memberId === owner.id);
        if (row === undefined) throw new Error('No mail was queued');
        const { subject, text } = openMail(world.main.services.cipher, row.idempotencyKey, row);
        return `${subject}\n${text}`;
      };
      expect(await namedIn('Acme Studio', 2)).toContain('the organization “Acme Studio” changed');
      const disguised = await namedIn('Win at https://evil.test/', 1);
      expect(disguised).toContain('Sign-in requirements of your organization changed');
      expect(disguised).not.toContain('evil.test');
    },
  );

  it('hides the account from lists, and session.me says what is required', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const { main, admin } = world;
    const member = await world.member({ memberships: { 1: 1, 2: 1 } });
    const root = await world.member({ isPersonnel: true, roleType: 0 });
    const ids = async (on: RunningService, path: string, token: string, body?: object) => {
      const response = await on.send(path, { token, ...(body ? { body } : {}) });
      const { data } = (await response.json()) as { data: { id?: number; accountId?: number }[] };
      return data.map((row) => row.id ?? row.accountId);
    };
    const all = await ids(admin, '/v1/account/list', root.token);
    expect(all).toContain(1);
    expect(await ids(main, '/v1/account/listMine', member.token)).toEqual([1, 2]);
    await setPolicy(world, 2);
    expect(await ids(main, '/v1/account/listMine', member.token)).toEqual([2]);
    expect(await ids(main, '/v1/account/search', member.token, { search: '' })).toEqual([2]);
    expect(await ids(admin, '/v1/account/list', root.token)).toEqual(all.filter((id) => id !== 1));
    const page = { token: root.token, body: { accountId: 1 } };
    expect(await codeOf(await admin.send('/v1/account/page', page))).toBe('not_found');

    const me = await main.send('/auth/me', { token: member.token, accountId: 1 });
    const { memberships, currentAccount, requires } = (await me.json()) as {
      memberships: { accountId: number; requires: unknown }[];
      currentAccount: { requires: unknown };
      requires: unknown;
    };
    const asked = { level: 2, by: 'account' };
    expect(memberships.map(({ accountId, requires: lacks }) => [accountId, lacks])).toEqual([
      [1, asked],
      [2, null],
    ]);
    expect([currentAccount.requires, requires]).toEqual([asked, null]);
    const { data } = await world.signIn(member);
    expect(data['requires']).toEqual(asked);
    const listed = await world.call('factor.list', {}, { token: member.token, query: true });
    expect(listed.data['requiredBy']).toEqual(asked);
  });

  it('hides the account on the pages of members and staff, even from administrators', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const member = await world.member({ memberships: { 1: 1, 2: 1 } });
    const colleague = await world.member({ isPersonnel: true, roleType: 3, grants: [1, 2] });
    const { token } = await world.member({ isPersonnel: true, roleType: 0 });
    const seen = async () => {
      const ask = async (path: string, body: object) =>
        (await (await world.admin.send(path, { token, body })).json()) as { data: Seen };
      const page = await ask('/v1/member/page', { memberId: member.id });
      const detail = await ask('/v1/personnel/detail', { personnelId: colleague.id });
      const listed = await ask('/v1/personnel/list', { search: String(colleague.id) });
      const explained = { memberId: member.id, accountId: 1 };
      return [
        page.data.memberships?.map(({ accountId }) => accountId),
        detail.data.grants?.map(({ accountId }) => accountId),
        JSON.stringify(listed).includes('"accountId":1,'),
        await codeOf(await world.admin.send('/v1/access/explain', { token, body: explained })),
      ];
    };
    expect(await seen()).toEqual([[1, 2], [1, 2], true, 'ok']);
    await setPolicy(world, 2);
    expect(await seen()).toEqual([[2], [2], false, 'not_found']);
  });

  it(
    'keeps sessions below it from reaching the account through its members, even those of administrators',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const { admin } = world;
      const manager = await world.member({ isPersonnel: true, roleType: 6, grants: [1, 2] });
      const root = await world.member({ isPersonnel: true, roleType: 0 });
      const subject = await world.member({ memberships: { 1: 5, 2: 5 } });
      const body = { memberId: subject.id };
      const ask = async (name: string, { token }: TestMember, more: object = {}) =>
        codeOf(await admin.send(`/v1/member/${name}`, { token, body: { ...body, ...more } }));
      await setPolicy(world, 3, null, 2);
      for (const staff of [manager, root]) {
        expect(await ask('ban', staff)).toBe('permission_denied');
        expect(await ask('unban', staff)).toBe('permission_denied');
        expect(await ask('unlock', staff)).toBe('ok');
      }
      expect((await world.main.send('/auth/me', { token: subject.token })).status).toBe(200);
      await setPolicy(world, 1, null, 2);
      expect(await ask('ban', manager)).toBe('ok');
      expect(await ask('unban', root)).toBe('ok');
    },
  );

  it('keeps sessions below it out of a closed account that its owner restores', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const { main, db } = world;
    const owner = await world.enrolled();
    const low = await world.member();
    for (const { token, id } of [owner, low]) {
      const made = await world.call('account.create', { name: 'Harbour' }, { token });
      const { id: accountId } = z.object({ id: z.int() }).parse(made.data);
      const nowMs = world.nowMs();
      await changeAccess(db, { accounts: [accountId] }, (tx) =>
        shutAccount(tx, { accountId, closedById: id, erasesAtMs: nowMs + DAY_MS, nowMs }),
      );
      await setPolicy(world, 2, null, accountId);
      const expected = id === owner.id ? 'ok' : 'enrolment_required';
      const restore = () => main.send('/v1/account/restore', { token, body: { accountId } });
      expect(await codeOf(await restore())).toBe(expected);
      await setPolicy(world, 3, null, accountId);
      // Even an open one does not show its name, like a closed one.
      expect(await codeOf(await restore())).toBe('enrolment_required');
    }
  });

  it('can begin after days of grace, which requests do not shorten', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const owner = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
    const plain = await world.member({ memberships: { [ACCOUNT]: 1 }, ttlSeconds: 40 * 86_400 });
    expect((await set(world, owner, { level: 2, graceDays: 31 })).code).toBe('invalid_input');
    const before = await set(world, owner, { level: 2, graceDays: 3 });
    expect(before.data).toMatchObject({ level: 2, current: 1, from: expect.any(String) as string });
    expect(await reach(world.other, plain.token)).toBe('ok');
    world.wait(3 * DAY_MS - 1000);
    expect(await reach(world.other, plain.token)).toBe('ok');
    world.wait(2000);
    expect(await reach(world.other, plain.token)).toBe('enrolment_required');
  });

  it('shows those who manage the account how many members fall short of it', OPTIONS, async () => {
    await using world = await startFactorWorld();
    const owner = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
    const get = async (token: string) => {
      const response = await world.main.send('/v1/accountPolicy/get', { token, accountId: ACCOUNT });
      return (await response.json()) as { data?: { members: number; fallingShort: number } };
    };
    await setPolicy(world, 2);
    const { data: before } = await get(owner.token);
    expect(before?.fallingShort).toBe((before?.members ?? 0) - 1);
    await setPolicy(world, 3);
    const high = await world.member({ memberships: { [ACCOUNT]: 1 } });
    expect((await get(high.token)).data).toBeUndefined();
  });

  it('counts only passkeys of this relying party, and lets members remove others', OPTIONS, async () => {
    await using world = await startPasskeyWorld();
    const member = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
    const { token } = member;
    const shortOf = async () => {
      const response = await world.main.send('/v1/accountPolicy/get', { token, accountId: ACCOUNT });
      const { data } = (await response.json()) as { data: { members: number; fallingShort: number } };
      return data.members - data.fallingShort;
    };
    const { answer } = await addPasskey(
      world,
      member,
      createAuthenticator({ origin: 'http://localhost:4000' }),
    );
    const passkeyId = Number(answer.data['id']);
    const { passkeys } = world.db.tables;
    await setPolicy(world, 3);
    expect(await shortOf()).toBe(1);
    expect((await world.call('passkey.remove', { passkeyId }, { token })).code).toBe('factor_required');
    await changeAccess(world.db, { members: [member.id] }, (tx) =>
      tx.write(tx.update(passkeys).set({ rpId: 'elsewhere.test' })),
    );
    expect(await shortOf()).toBe(0);
    expect((await world.call('passkey.remove', { passkeyId }, { token })).status).toBe(200);
    expect((await world.call('totp.remove', {}, { token })).code).toBe('factor_required');
  });

  it(
    'keeps members from removing the required factor, and makes them verify at level 2',
    OPTIONS,
    async () => {
      await using world = await startFactorWorld();
      const member = await world.enrolled({ memberships: { [ACCOUNT]: 1 } });
      const { token } = member;
      await setPolicy(world, 2);
      expect((await world.call('totp.remove', {}, { token })).code).toBe('factor_required');
      expect((await world.call('factor.switch', { secondFactor: false }, { token })).status).toBe(200);
      expect((await world.call('totp.remove', {}, { token })).code).toBe('factor_required');

      const low = String((await world.signIn(member)).data['token']);
      expect(await reach(world.other, low)).toBe('verification_required');
      const options = await world.call('verification.options', {}, { token: low, query: true });
      expect(options.data).toEqual({ level: 2, methods: ['totp', 'backupCode'] });
      expect((await world.call('totp.start', {}, { token: low })).code).toBe('verification_required');
      expect((await world.call('verification.prove', { code: member.code() }, { token: low })).status).toBe(
        200,
      );
      expect(await reach(world.other, low)).toBe('ok');
      await setPolicy(world, 1);
      expect((await world.call('totp.remove', {}, { token: low })).status).toBe(200);
      expect((await world.main.send('/auth/me', { token })).status).toBe(401);
    },
  );
});

describe('the level that staff need', () => {
  it('lets a session below it only call what raises its level, on both services', OPTIONS, async () => {
    await using world = await startFactorWorld({ STAFF_LEVEL: '2' });
    const root = await world.member({ isPersonnel: true, roleType: 0 });
    const { token } = root;
    for (const [node, router] of [
      [world.admin, adminRouter],
      [world.main, mainRouter],
    ] as const) {
      const codes = await codesOfEvery(node, router, token);
      const open = [...codes].filter(([, code]) => code !== 'enrolment_required').map(([name]) => name);
      // Not being the primary owner is refused before the level.
      const ofOwners = listProcedures(router).flatMap(({ name, rule }) =>
        rule?.who === 'account' && rule.primaryOwner ? [name] : [],
      );
      expect(ofOwners.filter((name) => codes.get(name) !== 'permission_denied')).toEqual([]);
      // New backup codes have a factor to begin with, and say so with the same code.
      const opening = OPEN.filter((name) => codes.has(name) && name !== 'factor.newBackupCodes');
      const expected = [...opening, ...ofOwners];
      expect(open.toSorted()).toEqual(expected.toSorted());
      expect(codes.size).toBeGreaterThan(50);
    }
    const me = z.looseObject({ requires: z.unknown() });
    const seen = await world.main.send('/auth/me', { token });
    expect(me.parse(await seen.json()).requires).toEqual({ level: 2, by: 'staff' });
    expect((await world.signIn(root, world.admin)).data['requires']).toEqual({ level: 2, by: 'staff' });

    const ofPublicProcedures = async (as: string) => [
      (await world.call('invitation.decline', { invitationId: 1 }, { token: as })).code,
      (await world.call('recovery.cancelMine', {}, { token: as })).code,
    ];
    expect(await ofPublicProcedures(token)).toEqual(['enrolment_required', 'enrolment_required']);
    await world.call('verification.sendEmail', {}, { token });
    const enrolled = await world.enrol(root, { emailCode: await world.mailedCode(root.email) });
    expect(await codeOf(await world.admin.send('/v1/account/list', { token }))).toBe('ok');
    expect(await reach(world.other, enrolled.token)).toBe('ok');
    expect((await world.call('factor.switch', { secondFactor: false }, { token })).status).toBe(200);
    const low = String((await world.signIn(root)).data['token']);
    expect(await codeOf(await world.admin.send('/v1/account/list', { token: low }))).toBe(
      'verification_required',
    );
    expect(await ofPublicProcedures(low)).toEqual(['verification_required', 'verification_required']);
    expect((await world.main.send('/auth/logout', { token: low, body: {} })).status).toBe(200);
  });

  it(
    'does not count a passkey of another relying party, which the member could not use',
    OPTIONS,
    async () => {
      await using world = await startPasskeyWorld({ STAFF_LEVEL: '2' });
      const root = await world.member({ isPersonnel: true, roleType: 0 });
      const list = async () => codeOf(await world.admin.send('/v1/account/list', { token: root.token }));
      for (const [rpId, code] of [
        ['elsewhere.test', 'enrolment_required'],
        ['localhost', 'verification_required'],
      ] as const) {
        await changeAccess(world.db, { members: [root.id] }, (tx) =>
          insertPasskey(tx, {
            memberId: root.id,
            credentialKey: rpId,
            credentialId: rpId,
            publicKey: '',
            rpId,
            userHandle: null,
            backupEligible: false,
            backedUp: false,
            transports: '',
            name: rpId,
            counter: 0,
            lastUsedAtMs: null,
            createdAtMs: world.nowMs(),
          }),
        );
        expect([rpId, await list()]).toEqual([rpId, code]);
      }
    },
  );

  it("counts on a member's page only the passkeys that they can sign in with here", OPTIONS, async () => {
    await using world = await startPasskeyWorld();
    const root = await world.member({ isPersonnel: true, roleType: 0 });
    const member = await world.enrolled({ memberships: { [ACCOUNT]: 5 } });
    const counted = async () => {
      const body = { memberId: member.id };
      const response = await world.admin.send('/v1/member/page', { token: root.token, body });
      const { data } = (await response.json()) as { data: { factors: { passkeys: number } } };
      return data.factors.passkeys;
    };
    await addPasskey(world, member, createAuthenticator({ origin: 'http://localhost:4000' }));
    expect(await counted()).toBe(1);
    const { passkeys } = world.db.tables;
    await changeAccess(world.db, { members: [member.id] }, (tx) =>
      tx.write(tx.update(passkeys).set({ rpId: 'elsewhere.test' })),
    );
    expect(await counted()).toBe(0);
  });

  it('applies only to procedures that say so in their rule', () => {
    for (const router of [adminRouter, mainRouter]) {
      const open = listProcedures(router).flatMap(({ name, rule }) =>
        rule?.who === 'member' && rule.opensBelowLevel ? [name] : [],
      );
      expect(open.toSorted()).toEqual(OPEN);
      const inRecovery = listProcedures(router).flatMap(({ name, rule }) =>
        rule?.who === 'member' && rule.opensInRecovery ? [name] : [],
      );
      expect(inRecovery.toSorted()).toEqual(IN_RECOVERY);
    }
  });

  it('applies to a promoted member from the next request on the other node', OPTIONS, async () => {
    await using world = await startFactorWorld({ STAFF_LEVEL: '2' });
    const member = await world.member({ memberships: { [ACCOUNT]: 1 }, withSession: false });
    expect(await reach(world.other, member.token)).toBe('ok');
    const nowMs = world.nowMs();
    await changeAccess(world.db, { members: [member.id] }, (tx) =>
      setPersonnelState(unsettled(tx), { memberId: member.id, isPersonnel: true, nowMs }),
    );
    expect(await reach(world.other, member.token)).toBe('enrolment_required');
  });

  it('requires a passkey of base role 0 only when STAFF_ROOT_LEVEL is 3', OPTIONS, async () => {
    await using world = await startFactorWorld({ STAFF_ROOT_LEVEL: '3' });
    const root = await world.member({ isPersonnel: true, roleType: 0 });
    const manager = await world.member({ isPersonnel: true, roleType: 6, grants: [ACCOUNT] });
    const list = async (token: string) => codeOf(await world.admin.send('/v1/account/list', { token }));
    expect([await list(root.token), await list(manager.token)]).toEqual(['enrolment_required', 'ok']);
    await world.call('verification.sendEmail', {}, { token: root.token });
    await world.enrol(root, { emailCode: await world.mailedCode(root.email) });
    expect(await list(root.token)).toBe('enrolment_required');
  });

  it(
    'waits until FACTORS_UNTIL for administrators without a factor, and not for those who have one',
    OPTIONS,
    async () => {
      const until = new Date(Date.now() + 5 * DAY_MS).toISOString();
      await using world = await startFactorWorld({ STAFF_ROOT_LEVEL: '2', FACTORS_UNTIL: until });
      const root = { isPersonnel: true, roleType: 0, ttlSeconds: 40 * 86_400 };
      const [without, having] = [await world.member(root), await world.member(root)];
      await world.call('verification.sendEmail', {}, { token: having.token });
      await world.enrol(having, { emailCode: await world.mailedCode(having.email) });
      await world.call('factor.switch', { secondFactor: false }, { token: having.token });
      const token = String((await world.signIn(having)).data['token']);
      const list = async (as: string) => codeOf(await world.admin.send('/v1/account/list', { token: as }));
      expect([await list(without.token), await list(token)]).toEqual(['ok', 'verification_required']);
      const later = async (as: string) =>
        (await (await world.admin.send('/auth/me', { token: as })).json()) as { requiresLater?: object };
      expect((await later(without.token)).requiresLater).toEqual({ level: 2, from: until });
      expect(await later(token)).not.toHaveProperty('requiresLater');
      world.wait(6 * DAY_MS);
      expect(await list(without.token)).toBe('enrolment_required');
      expect(await later(without.token)).not.toHaveProperty('requiresLater');
    },
  );
});
