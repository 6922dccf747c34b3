// @module-tag slow
import { router as adminRouter } from '@gatehouse/api-admin/router';
import { router } from '@gatehouse/api-main/router';
import { dummyHash, PERMISSIONS, STAFF_PERMISSIONS } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setBan } from '@gatehouse/db/queries/change-member';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { startSession } from '@gatehouse/db/queries/start-session';
import { type ListedProcedure, listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { type RunningService, type TestMember, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ImpersonationWorld, startImpersonationWorld } from '../test/impersonation-world.js';
import { tokenOf } from '../test/token-of.js';

const OPTIONS = { timeout: 300_000 };

const PASSWORD = 'Lantern-Harbor-42';

/** Those of the demonstration, two that are closed or unknown, and none. */
const ACCOUNTS = [1, 2, 3, 999, undefined];

const explanation = z.object({
  decision: z.enum(['allow', 'deny']),
  reason: z.string().nullable(),
  chain: z.array(z.object({ fact: z.string(), value: z.unknown(), effect: z.string() })),
});

type Explanation = z.output<typeof explanation>;

interface Question {
  readonly memberId: number;
  readonly accountId?: number | undefined;
  readonly permission?: string | undefined;
  readonly impersonationId?: number | undefined;
  readonly sessionId?: number | undefined;
}

async function explain(
  { admin }: ImpersonationWorld,
  as: Pick<TestMember, 'token'>,
  question: Question,
): Promise<Explanation> {
  const response = await admin.send('/v1/access/explain', { token: as.token, body: question });
  const body = (await response.json()) as { data: unknown };
  expect([question, response.status]).toEqual([question, 200]);
  return explanation.parse(body.data);
}

const refusal = z.object({ error: z.object({ code: z.string() }).optional() });

/** The refusal of a call; undefined if its guard let the caller through, whatever the result. */
async function refusalOf(response: Response): Promise<string | undefined> {
  const text = await response.text();
  if (response.status === 401 && !text.startsWith('{')) return 'unauthorized';
  const { error } = refusal.parse(JSON.parse(text));
  const isOfGuard =
    /^(unauthorized|account_forbidden|account_required|permission_denied|rate_limited|invalid_credentials|(verification|enrolment)_required)$/;
  return error !== undefined && isOfGuard.test(error.code) ? error.code : undefined;
}

/** A procedure whose guard requires exactly this permission, and for which an empty input has no effect. */
function guardedBy(procedures: readonly ListedProcedure[], permission: string): ListedProcedure | undefined {
  const isPlain = ({ rule }: ListedProcedure) =>
    (rule?.who === 'account' &&
      rule.permission === permission &&
      !rule.orOwn &&
      !rule.inPerson &&
      !rule.staffWithoutAccount) ||
    (rule?.who === 'staff' && rule.permission === permission);
  const found = procedures.filter(isPlain);
  const refusesNothing = ({ type, input }: ListedProcedure) =>
    type === 'query' || (input !== undefined && !input.safeParse({}).success);
  return found.find(({ type }) => type === 'query') ?? found.find(refusesNothing);
}

const OF_MAIN = listProcedures(router);

const OF_ADMIN = listProcedures(adminRouter);

async function callGuarded(
  node: RunningService,
  { name }: ListedProcedure,
  as: { token: string; accountId?: number | undefined },
): Promise<string | undefined> {
  const path = `/v1/${name.replaceAll('.', '/')}`;
  return refusalOf(await node.send(path, { ...as, body: {} }));
}

/** What the account of a session allows, as the session's own answer says; or the refusal. */
async function permissionsSeen(
  { main }: ImpersonationWorld,
  as: { token: string; accountId?: number | undefined },
): Promise<ReadonlySet<string> | string> {
  const response = await main.send('/auth/me', as);
  if (response.status !== 200) return (await refusalOf(response)) ?? String(response.status);
  const seen = (await response.json()) as { currentAccount: { permissions: string[] } | null };
  return new Set(seen.currentAccount?.permissions);
}

interface Facts {
  readonly isOut: boolean;
  readonly isStaff: boolean;
  readonly isRoot: boolean;
  readonly memberships: ReadonlyMap<number, number>;
  readonly grants: ReadonlySet<number>;
}

/** The rows that decide, read by hand. */
async function factsOf({ db }: ImpersonationWorld, memberId: number): Promise<Facts> {
  const { members, memberships, personnelGrants } = db.tables;
  const member = (await db.select().from(members)).find(({ id }) => id === memberId);
  const places = (await db.select().from(memberships)).filter(
    (row) => row.memberId === memberId && row.active && !row.isDeleted,
  );
  const granted = (await db.select().from(personnelGrants)).filter(
    (row) => row.personnelId === memberId && row.active && !row.isDeleted,
  );
  const isStaff = member?.isPersonnel ?? false;
  return {
    isOut: member?.isDeleted !== false || member.roleType === 11,
    isStaff,
    isRoot: isStaff && member?.roleType === 0,
    memberships: new Map(places.map(({ accountId, roleType }) => [accountId, roleType])),
    grants: new Set(granted.map(({ accountId }) => accountId)),
  };
}

/** The fact that decides, in the words of the contract. */
function decidingFact(
  facts: Facts,
  closed: ReadonlySet<number>,
  { accountId, permission = '' }: Question,
): string {
  if (facts.isOut) return 'memberStatus';
  if (STAFF_PERMISSIONS.some((each) => each === permission)) return facts.isStaff ? 'permission' : 'staff';
  if (accountId === undefined) return facts.isRoot ? 'permission' : 'accountState';
  if (closed.has(accountId) || accountId === 999) return 'accountState';
  if (facts.isRoot) return 'permission';
  const role = facts.memberships.get(accountId);
  if (role !== undefined) return role === 11 ? 'membership' : 'permission';
  if (!facts.isStaff) return 'membership';
  return facts.grants.has(accountId) ? 'permission' : 'grant';
}

function requireDecided(question: Question, explained: Explanation, fact: string): void {
  const last = explained.chain.at(-1);
  expect([question, last?.fact, last?.effect]).toEqual([
    question,
    fact,
    explained.decision === 'allow' ? 'allows' : 'denies',
  ]);
  const authorized = explained.chain.filter(({ effect }) => effect === 'allows' || effect === 'denies');
  expect([question, authorized.length]).toEqual([question, 1]);
}

/** The demonstration, after changes to its people. */
async function troubledDemonstration() {
  const world = await startImpersonationWorld({
    LOGIN_FAILURES_PER_MEMBER: '3',
    TRUSTED_PROXIES: '127.0.0.1,::1',
  });
  const { db, main } = world;
  const ids = Array.from({ length: 11 }, (_, index) => index + 1);
  const tokens = new Map<number, string>();
  for (const id of ids) tokens.set(id, await tokenOf(main, id));
  const nowMs = world.nowMs();
  const roleId = await db.insert(db.tables.customRoles, {
    accountId: 1,
    name: 'Front desk',
    nameKey: 'front desk',
    roleType: 3,
    permissions: ['account.read', 'subject.remove'],
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  await changeAccess(db, { members: ids, accounts: [1, 3] }, async (tx) => {
    // One is demoted, one gets the account's own role, one is banned for a day and one deleted; an account is closed.
    await setMembership(tx, { memberId: 4, accountId: 1, roleType: 5, nowMs });
    await setMembership(tx, { memberId: 6, accountId: 1, roleType: 3, customRoleId: roleId, nowMs });
    const ban = {
      untilMs: nowMs + 86_400_000,
      reason: 'spam',
      bannedById: 1,
      roleType: 3,
      role: 'Contributor',
    };
    await setBan(unsettled(tx), { memberId: 5, ...ban, nowMs });
    await removeMember(tx, { memberId: 11, nowMs });
    await shutAccount(tx, { accountId: 3, closedById: 9, erasesAtMs: nowMs + 86_400_000, nowMs });
  });
  const { members } = db.tables;
  await db.write(db.update(members).set({ emailConfirmedAtMs: null }));
  return { world, ids, tokens, closed: new Set([3]) };
}

describe('the explanation of a permission', () => {
  it(
    'matches the result of the guarded call right after it, for every member, account and permission',
    OPTIONS,
    async () => {
      const { world, ids, tokens, closed } = await troubledDemonstration();
      await using _ = world;
      const { main, admin, root } = world;
      const asked = { questions: 0, calls: 0, allowed: 0 };
      for (const memberId of ids) {
        const facts = await factsOf(world, memberId);
        const token = tokens.get(memberId) ?? '';
        for (const accountId of ACCOUNTS) {
          const seen = accountId === undefined ? '' : await permissionsSeen(world, { token, accountId });
          for (const permission of PERMISSIONS) {
            const question = { memberId, accountId, permission };
            const explained = await explain(world, root, question);
            requireDecided(question, explained, decidingFact(facts, closed, question));
            asked.questions += 1;
            if (explained.decision === 'allow') asked.allowed += 1;
            if (accountId === undefined) continue;
            const procedure = guardedBy(OF_MAIN, permission);
            if (procedure !== undefined) {
              const told = await callGuarded(main, procedure, { token, accountId });
              expect([question, procedure.name, explained.reason]).toEqual([
                question,
                procedure.name,
                told ?? null,
              ]);
              asked.calls += 1;
            }
            const expected =
              typeof seen === 'string' ? seen : seen.has(permission) ? null : 'permission_denied';
            expect([question, explained.reason]).toEqual([question, expected]);
          }
        }
        for (const permission of STAFF_PERMISSIONS) {
          const question = { memberId, permission };
          const explained = await explain(world, root, question);
          requireDecided(question, explained, decidingFact(facts, closed, question));
          const procedure = guardedBy(OF_ADMIN, permission);
          const told = procedure && (await callGuarded(admin, procedure, { token }));
          expect([question, procedure?.name, explained.reason]).toEqual([
            question,
            procedure?.name,
            told ?? null,
          ]);
          asked.questions += 1;
          asked.calls += 1;
        }
      }
      expect(asked).toMatchObject({ questions: 11 * (5 * PERMISSIONS.length + STAFF_PERMISSIONS.length) });
      expect(asked.calls).toBeGreaterThan(300);
      expect(asked.allowed).toBeGreaterThan(50);
    },
  );

  it(
    'matches the result in a session in which staff act for the member, and names what ended it',
    OPTIONS,
    async () => {
      const { world } = await troubledDemonstration();
      await using _ = world;
      const { main, admin, root, manager } = world;
      const owner = await world.member({ memberships: { 1: 2, 2: 1 } });
      const acting = [
        { as: root, impersonation: await world.start(root, { memberId: owner.id }) },
        { as: manager, impersonation: await world.start(manager, { memberId: owner.id, accountId: 2 }) },
      ];
      for (const { as, impersonation } of acting) {
        const { impersonationId, token } = impersonation;
        for (const accountId of [1, 2, 3, 999]) {
          const seen = await permissionsSeen(world, { token, accountId });
          for (const permission of PERMISSIONS) {
            const question = { memberId: owner.id, accountId, permission, impersonationId };
            const explained = await explain(world, root, question);
            const expected =
              typeof seen === 'string' ? seen : seen.has(permission) ? null : 'permission_denied';
            expect([as === root, question, explained.reason]).toEqual([as === root, question, expected]);
            const procedure = guardedBy(OF_MAIN, permission);
            if (procedure?.type !== 'query') continue;
            const told = await callGuarded(main, procedure, { token, accountId });
            expect([question, procedure.name, explained.reason]).toEqual([
              question,
              procedure.name,
              told ?? null,
            ]);
          }
        }
      }
      const question = (impersonationId: number) => ({
        memberId: owner.id,
        accountId: 2,
        permission: 'billing.manage',
        impersonationId,
      });
      const [ofRoot, ofManager] = acting.map(({ impersonation }) => impersonation.impersonationId);
      const facts = (explained: Explanation) => explained.chain.map(({ fact }) => fact);
      const limited = await explain(world, root, question(ofManager ?? 0));
      expect(limited.chain.at(-1)).toEqual({ fact: 'actor.permission', value: null, effect: 'denies' });
      expect(facts(limited)).toEqual(
        expect.arrayContaining(['session', 'impersonation', 'permission', 'actor.grant']),
      );

      const body = { impersonationId: ofRoot };
      await admin.send('/v1/impersonation/end', { token: root.token, body });
      const ended = await explain(world, root, question(ofRoot ?? 0));
      expect(ended).toMatchObject({ decision: 'deny', reason: 'unauthorized' });
      expect(ended.chain.at(-1)).toEqual({ fact: 'session', value: 'ended', effect: 'denies' });
      world.wait(3_600_000);
      const late = await explain(world, root, question(ofManager ?? 0));
      expect(late.chain.at(-1)).toEqual({ fact: 'impersonation', value: 'expired', effect: 'denies' });
    },
  );
});

/** The level that an account requires of sessions; the last one from tomorrow, and level 2 until then. */
const POLICIES = [
  { requiredLevel: 1, requiredFromMs: null, requiredUntilThen: 1 },
  { requiredLevel: 2, requiredFromMs: null, requiredUntilThen: 1 },
  { requiredLevel: 3, requiredFromMs: null, requiredUntilThen: 1 },
  { requiredLevel: 3, requiredFromMs: Number.MAX_SAFE_INTEGER, requiredUntilThen: 2 },
] as const;

const PARTNER = 1;

/** Sessions of a member at every level, one of a partner and one of a recovery: their tokens by their ids. */
async function sessionsOf(
  { db, main }: ImpersonationWorld,
  { id: memberId }: TestMember,
): Promise<Map<number, string>> {
  const kinds = [
    { level: 1 },
    { level: 2 },
    { level: 3 },
    { level: 1, partnerId: PARTNER },
    { level: 1, recoveryId: 1 },
  ];
  const tokens = new Map<number, string>();
  for (const kind of kinds) {
    const claims = { userId: memberId, role: 5, isPersonnel: false, defaultPaymentId: 2, accountId: null };
    const { token, tokenKey, expiresAtMs } = main.services.tokens.sealSession(claims);
    const session = await db.transaction((tx) =>
      startSession(tx, {
        memberId,
        expectedPassword: dummyHash,
        expectedFactorEpoch: 0,
        isHeard: false,
        amr: 'pwd',
        tokenKey,
        kind: 'session',
        device: 'test',
        address: '127.0.0.1',
        partnerId: null,
        nowMs: Date.now(),
        expiresAtMs,
        ...kind,
      }),
    );
    tokens.set(session?.id ?? 0, token);
  }
  return tokens;
}

describe('the explanation of a session', () => {
  it(
    'matches the result of the guarded call in it, at every level and policy, of partners and recoveries too',
    OPTIONS,
    async () => {
      await using world = await startImpersonationWorld({ STAFF_LEVEL: '2' });
      const { db, main, admin, root } = world;
      const { accounts, sessions, totpFactors, partners } = db.tables;
      // The asker sees accounts of any level.
      await db.write(db.update(sessions).set({ level: 3 }));
      const subjects: { member: TestMember; tokens: Map<number, string> }[] = [];
      for (const hasApp of [false, true])
        for (const options of [
          { memberships: { 2: 1 } },
          { roleType: 6, isPersonnel: true, grants: [2] },
          { roleType: 0, isPersonnel: true },
        ]) {
          const member = await world.member(options);
          if (hasApp) await db.insert(totpFactors, { memberId: member.id, confirmedAtMs: 1, createdAtMs: 1 });
          subjects.push({ member, tokens: await sessionsOf(world, member) });
        }
      const calls = [
        ...PERMISSIONS.map((permission) => ({ permission, accountId: 2, node: main, of: OF_MAIN })),
        ...STAFF_PERMISSIONS.map((permission) => ({ permission, node: admin, of: OF_ADMIN })),
      ].flatMap(({ of, ...call }) => {
        const procedure = guardedBy(of, call.permission);
        return procedure?.type === 'query' ? [{ ...call, procedure }] : [];
      });
      const told = new Set<string>();
      const compare = async () => {
        for (const { member, tokens } of subjects)
          for (const [sessionId, token] of tokens)
            for (const { node, procedure, ...asked } of calls) {
              const question = { memberId: member.id, sessionId, ...asked };
              const explained = await explain(world, root, question);
              const refused = await callGuarded(node, procedure, { token, ...asked });
              expect([question, explained.reason]).toEqual([question, refused ?? null]);
              const isByLevel = refused?.endsWith('_required') ?? false;
              if (isByLevel) requireDecided(question, explained, 'level');
              told.add(refused ?? 'none');
            }
      };
      for (const policy of POLICIES) {
        await changeAccess(db, { accounts: [2] }, (tx) => tx.write(tx.update(accounts).set(policy)));
        await compare();
      }
      await changeAccess(db, { partners: [PARTNER] }, (tx) =>
        tx.write(tx.update(partners).set({ isActive: false })),
      );
      await compare();
      const codes = ['account_forbidden', 'enrolment_required', 'permission_denied', 'unauthorized'];
      expect([...told].toSorted()).toEqual([...codes, 'verification_required', 'none'].toSorted());
    },
  );
});

describe('the explanation of signing in', () => {
  it('matches the result of a sign-in at an unknown address', OPTIONS, async () => {
    const { world, ids } = await troubledDemonstration();
    await using _ = world;
    const { main, root, db } = world;
    const { members } = db.tables;
    const emails = new Map((await db.select().from(members)).map(({ id, email }) => [id, email ?? '']));
    let addresses = 0;
    const signIn = async (memberId: number, password: string) => {
      addresses += 1;
      return refusalOf(
        await main.send('/webauthenticate', {
          body: { email: emails.get(memberId), password },
          headers: { 'x-forwarded-for': `198.51.100.${addresses}` },
        }),
      );
    };
    for (let tries = 0; tries < 3; tries += 1) await signIn(9, 'a wrong password');
    const told: Record<number, string | null> = {};
    for (const memberId of ids) {
      const explained = await explain(world, root, { memberId });
      const fact = explained.reason === 'invalid_credentials' ? 'memberStatus' : 'lock';
      requireDecided({ memberId }, explained, fact);
      expect([memberId, explained.reason]).toEqual([memberId, (await signIn(memberId, PASSWORD)) ?? null]);
      told[memberId] = explained.reason;
      const confirmation = explained.chain.find((link) => link.fact === 'confirmation');
      expect(confirmation).toEqual({ fact: 'confirmation', value: false, effect: 'none' });
    }
    expect(told).toEqual({
      ...Object.fromEntries(ids.map((id) => [id, null])),
      5: 'invalid_credentials',
      9: 'rate_limited',
      10: 'invalid_credentials',
      11: 'invalid_credentials',
    });
    const inAccount = await explain(world, root, { memberId: 4, accountId: 1 });
    expect([inAccount.decision, inAccount.chain.at(-1)]).toEqual([
      'allow',
      { fact: 'membership', value: 5, effect: 'allows' },
    ]);
  });
});

describe('an explanation of access', () => {
  it(
    'is given to staff, about the members and accounts they may see, and to nobody else',
    OPTIONS,
    async () => {
      await using world = await startImpersonationWorld();
      const { admin, root, manager } = world;
      const colleague = await world.member({ roleType: 6, isPersonnel: true, memberships: { 2: 5 } });
      const foreign = await world.member({ memberships: { 1: 5 } });
      const { impersonationId } = await world.start(root, { memberId: 8 });
      const own = await world.start(manager, { memberId: 8, accountId: 2 });
      const codeOf = async (as: TestMember, question: Question) => {
        const response = await admin.send('/v1/access/explain', { token: as.token, body: question });
        const text = await response.text();
        return text.startsWith('{') ? refusal.parse(JSON.parse(text)).error?.code : text;
      };
      const permission = 'member.list';
      expect(await codeOf(manager, { memberId: 8, accountId: 2, permission })).toBeUndefined();
      expect(await codeOf(manager, { memberId: 8 })).toBeUndefined();
      const { impersonationId: ownId } = own;
      expect(
        await codeOf(manager, { memberId: 8, accountId: 2, permission, impersonationId: ownId }),
      ).toBeUndefined();
      for (const question of [
        { memberId: foreign.id, accountId: 1, permission },
        { memberId: foreign.id },
        { memberId: 8, accountId: 1, permission },
        { memberId: 3, accountId: 1, permission },
        { memberId: 8, accountId: 999, permission },
        { memberId: 999_999 },
        { memberId: 8, accountId: 2, permission, impersonationId },
        { memberId: 8, accountId: 2, permission, impersonationId: 999_999 },
      ])
        expect([question, await codeOf(manager, question)]).toEqual([question, 'not_found']);
      expect(await codeOf(manager, { memberId: colleague.id, accountId: 2, permission })).toBe(
        'permission_denied',
      );
      expect(await codeOf(foreign, { memberId: foreign.id })).toBe('permission_denied');
      expect(await codeOf(root, { memberId: 999_999 })).toBe('not_found');
      expect(await codeOf(root, { memberId: 3, impersonationId })).toBe('not_found');
      const { sessions } = world.db.tables;
      const signedIn = await world.member({ memberships: { 2: 5 } });
      const rows = await world.db.select().from(sessions);
      const sessionId = rows.find((row) => row.tokenKey === signedIn.tokenKey)?.id;
      expect(await codeOf(manager, { memberId: signedIn.id, sessionId })).toBe('not_found');
      expect(await codeOf(root, { memberId: signedIn.id, sessionId })).toBeUndefined();
      expect(await codeOf(root, { memberId: 3, sessionId })).toBe('not_found');
      expect(await codeOf(root, { memberId: 8, sessionId, impersonationId })).toBe('invalid_input');
    },
  );

  it('reads the log up to the newest change, on a node that has not seen it', OPTIONS, async () => {
    await using world = await startImpersonationWorld();
    const { db, root } = world;
    const subject = await world.member({ memberships: { 2: 2 } });
    const question = { memberId: subject.id, accountId: 2, permission: 'member.manage' };
    expect((await explain(world, root, question)).decision).toBe('allow');
    const nowMs = world.nowMs();
    await changeAccess(db, { members: [subject.id] }, (tx) =>
      setMembership(tx, { memberId: subject.id, accountId: 2, roleType: 5, nowMs }),
    );
    const explained = await explain(world, root, question);
    const rows = await db.select().from(db.tables.accessChanges);
    const newest = Math.max(...rows.map(({ id }) => id));
    expect(explained).toMatchObject({ decision: 'deny', reason: 'permission_denied' });
    expect(explained.chain[0]).toEqual({ fact: 'logPosition', value: newest, effect: 'none' });
  });
});
