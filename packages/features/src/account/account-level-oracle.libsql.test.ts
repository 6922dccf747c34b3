// @module-tag slow
import { createTokenKeys, generateTotpSecret, sealToken, totpCode, totpStep } from '@gatehouse/auth-core';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberFactors } from '@gatehouse/db/queries/member-factors';
import { setPersonnelState } from '@gatehouse/db/queries/personnel';
import { confirmTotp, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import {
  createAuthenticator,
  type RunningService,
  type TestMember,
  testConfig,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createBackupCodes, sealTotpSecret } from '../authentication/second-factor/factor-codes.js';
import type { FactorWorld } from '../test/factor-world.js';
import { addPasskey, optionsIn, startPasskeyWorld, usePasskey } from '../test/passkey-world.js';
import { callRest, callTrpc, type TransportCall, type Verdict } from '../test/transport-call.js';

const OPTIONS = { timeout: 300_000 };

const ORIGIN = 'http://localhost:4000';

const ACCOUNT = 1;

const DAY_MS = 86_400_000;

/** That of the demonstration. */
const PARTNER = 1;

/** The first proof. A session without a row is one of the replaced system. */
const FIRST = ['password', 'provider', 'partner', 'passkey', 'rowless'] as const;

/** The member's factors and, if a second step is required, the one they used. */
const SECOND = [
  'none',
  'unused app',
  'app',
  'backup code',
  'mail',
  'unused passkey',
  'passkey',
  'app beside a passkey',
] as const;

const POLICIES = [
  'none',
  'account 2',
  'account 2 later',
  'account 3',
  'staff 2',
  'staff 2 account 3',
] as const;

const CALLS = ['read', 'fresh'] as const;

const TRANSPORTS = ['rest', 'trpc', 'batch'] as const;

const KINDS = ['session', 'bearer'] as const;

type First = (typeof FIRST)[number];

type Second = (typeof SECOND)[number];

type Policy = (typeof POLICIES)[number];

type Asked = (typeof CALLS)[number];

interface Case {
  readonly first: First;
  readonly second: Second;
  readonly kind: (typeof KINDS)[number];
}

const hasPasskey = ({ second }: Case): boolean => second.endsWith('passkey');

const hasApp = ({ second }: Case): boolean => second.includes('app') || second === 'backup code';

const isSwitchedOn = ({ second }: Case): boolean => second !== 'none' && !second.startsWith('unused');

/**
 * A passkey makes level 3, as first or second step; an app or backup code makes 2; everything else, and a token without a row, 1.
 */
function levelOf({ first, second }: Case): number {
  if (first === 'passkey' || second === 'passkey') return 3;
  return second.startsWith('app') || second === 'backup code' ? 2 : 1;
}

/**
 * The expected answer by the specification: sections 1 and 5 and what section 11 adds. Without a factor of the level the refusal
 * is enrolment_required, else verification_required. A member with a due factor verifies at level 2.
 */
function oracle(subject: Case, policy: Policy, asked: Asked): string {
  const { first } = subject;
  const level = levelOf(subject);
  const highest = hasPasskey(subject) ? 3 : hasApp(subject) ? 2 : 1;
  // Partners do not sign staff on.
  if (first === 'partner' && policy.startsWith('staff')) return 'unauthorized';
  const ofStaff = policy.startsWith('staff 2') ? 2 : 1;
  const ofAccount = policy === 'account 2' ? 2 : policy.endsWith('account 3') ? 3 : 1;
  if (asked === 'read') {
    const required = Math.max(ofStaff, ofAccount);
    if (level >= required) return 'ok';
    return highest >= required ? 'verification_required' : 'enrolment_required';
  }
  // totp.start: in person, open below the level, and fresh at level 2 if the switch or a policy requires a factor.
  if (first === 'partner') return 'permission_denied';
  const isBound = ofStaff > 1 || ofAccount > 1;
  const needed = highest > 1 && (isSwitchedOn(subject) || isBound) ? 2 : 1;
  return level >= needed ? 'ok' : 'verification_required';
}

/**
 * Cases that the specification rules out: a bearer is only for a password, and a session without a row or by passkey took no
 * second step.
 */
function isPossible(subject: Case): boolean {
  const { first, kind } = subject;
  if (first === 'rowless') return kind === 'session' && !isSwitchedOn(subject);
  if (first === 'passkey') return kind === 'session' && hasPasskey(subject);
  return kind === 'session' || first === 'password';
}

const READ: TransportCall = {
  procedure: 'member.list',
  type: 'query',
  input: {},
  path: '/v1/member/list',
};

const FRESH: TransportCall = {
  procedure: 'totp.start',
  type: 'mutation',
  input: {},
  path: '/v1/totp/start',
  body: {},
};

interface Subject {
  readonly member: TestMember;
  readonly token: string;
}

/** A member with the factors of the case, signed in as it says. */
async function subjectOf(world: FactorWorld, subject: Case, isStaff: boolean): Promise<Subject> {
  const { first, second, kind } = subject;
  const { db, main } = world;
  const { services } = main;
  const nowMs = world.nowMs();
  const member = await world.member({ memberships: { [ACCOUNT]: 1 } });
  const { id: memberId } = member;
  const device = createAuthenticator({ origin: ORIGIN });
  const added = hasPasskey(subject) ? await addPasskey(world, member, device) : undefined;
  const secret = generateTotpSecret();
  let backupCodes: string[] = [];
  await changeAccess(db, { members: [memberId] }, async (tx) => {
    if (isStaff) await setPersonnelState(unsettled(tx), { memberId, isPersonnel: true, nowMs });
    if (first === 'partner') {
      const link = { partnerId: PARTNER, memberId, linkedAtMs: nowMs, consentedAtMs: nowMs };
      await tx.insert(tx.tables.partnerMembers, link);
    }
    if (hasApp(subject)) {
      const sealed = sealTotpSecret(services, memberId, secret);
      await setPendingTotp(tx, { memberId, secret: sealed, nowMs });
      await confirmTotp(tx, { memberId, secret: sealed, step: 0, nowMs });
      backupCodes = await createBackupCodes(tx, services, memberId);
    }
    await setMemberFactors(tx, memberId, {
      nowMs,
      secondFactor: isSwitchedOn(subject),
      emailStep: second === 'mail',
    });
  });
  if (first === 'rowless') {
    const keys = createTokenKeys({ secret: testConfig().JWT_SECRET_KEY });
    const claims = { userId: memberId, role: 5, defaultPaymentId: 2, accountId: null, isPersonnel: isStaff };
    return { member, token: sealToken(keys, claims, { nowMs, ttlSeconds: 3_600 }).token };
  }
  if (first === 'passkey' && added !== undefined) {
    const { data } = await usePasskey(world, added.passkey);
    return { member, token: String(data['token']) };
  }
  const begin = () => {
    if (kind === 'bearer')
      return main.send('/authenticate', { body: { email: member.email, password: PASSWORD } });
    if (first === 'password')
      return main.send('/v1/signIn/password', { body: { email: member.email, password: PASSWORD } });
    const claims =
      first === 'provider'
        ? ({ type: 'socialLogin', userId: memberId, provider: 'google' } as const)
        : ({
            type: 'partnerLogin',
            userId: memberId,
            accountIds: [ACCOUNT],
            partnerId: PARTNER,
            role: null,
            defaultPaymentId: null,
          } as const);
    const { token } = services.tokens.sealOneUse(claims, 300);
    return main.send('/v1/signIn/token', { body: { token } });
  };
  const begun = (await (await begin()).json()) as {
    data?: { token: string };
    token?: string;
    error?: { challenge?: string };
  };
  const ready = begun.data?.token ?? begun.token;
  if (ready !== undefined) return { member, token: ready };
  const challenge = begun.error?.challenge ?? '';
  const step = async (): Promise<object> => {
    if (second.startsWith('app')) return { code: totpCode(secret, totpStep(nowMs)) };
    if (added !== undefined) {
      const { data } = await world.call('signIn.stepOptions', { challenge });
      return { flow: data['flow'], response: added.passkey.use(optionsIn<'use'>(data)) };
    }
    if (second === 'backup code') return { backupCode: backupCodes[0] };
    await world.call('signIn.stepEmail', { challenge });
    return { emailCode: await world.mailedCode(member.email) };
  };
  const { data } = await world.call('signIn.step', { challenge, ...(await step()) });
  return { member, token: String(data['token']) };
}

const batched = z.array(
  z.object({
    error: z.object({ data: z.object({ httpStatus: z.number(), reason: z.string() }) }).optional(),
  }),
);

/** The second of two calls in one request. */
async function inBatch(
  on: Pick<RunningService, 'send'>,
  caller: { token: string; accountId: number | undefined },
  { procedure, type, input }: TransportCall,
): Promise<Verdict> {
  const inputs = { 0: input, 1: input };
  const path = `/trpc/${procedure},${procedure}?batch=1`;
  const response =
    type === 'query'
      ? await on.send(`${path}&input=${encodeURIComponent(JSON.stringify(inputs))}`, caller)
      : await on.send(path, { ...caller, body: inputs });
  const second = batched.parse(await response.json())[1];
  if (second?.error === undefined) return { status: 200, fields: undefined };
  const { httpStatus: status, reason: code } = second.error.data;
  return { status, code };
}

async function verdictOf(
  world: FactorWorld,
  { kind }: Pick<Case, 'kind'>,
  token: string,
  { asked, transport }: { asked: Asked; transport: (typeof TRANSPORTS)[number] },
): Promise<string> {
  const call = asked === 'read' ? READ : FRESH;
  const on = world.other;
  const sent =
    kind === 'session'
      ? on
      : {
          ...on,
          send: (path: string, { token: bearer, ...request }: { token?: string } = {}) =>
            on.send(path, { ...request, headers: { authorization: `Bearer ${bearer}` } }),
        };
  const caller = { token, accountId: asked === 'read' ? ACCOUNT : undefined };
  const answer: Verdict =
    transport === 'rest'
      ? await callRest(sent, caller, call)
      : transport === 'trpc'
        ? await callTrpc(sent, caller, call)
        : await inBatch(sent, caller, call);
  if (answer.status === 200) return 'ok';
  return answer.status === 401 ? 'unauthorized' : 'code' in answer ? answer.code : '';
}

async function setPolicy(world: FactorWorld, policy: Policy): Promise<void> {
  const nowMs = world.nowMs();
  const level = policy.startsWith('account 2') ? 2 : policy.endsWith('account 3') ? 3 : 1;
  const fromMs = policy.endsWith('later') ? nowMs + DAY_MS : null;
  const stored = { requiredLevel: level, requiredFromMs: fromMs, requiredUntilThen: 1 };
  await changeAccess(world.db, { accounts: [ACCOUNT] }, (tx) =>
    setAccountPolicy(tx, { accountId: ACCOUNT, nowMs, ...stored }),
  );
}

describe('first factor × second factor × policy × transport', () => {
  it('is answered as the guide says, by a node that did not make the session', OPTIONS, async () => {
    await using world = await startPasskeyWorld({ STAFF_LEVEL: '2' });
    const cases = FIRST.flatMap((first) =>
      SECOND.flatMap((second) => KINDS.map((kind): Case => ({ first, second, kind }))),
    ).filter(isPossible);
    const wrong: unknown[] = [];
    let asked = 0;
    for (const isStaff of [false, true]) {
      for (const each of cases) {
        // A mailed code is not a second step for staff, and staff have no partner's sessions.
        if (isStaff && (each.second === 'mail' || each.first === 'partner')) continue;
        await setPolicy(world, 'none');
        const { token } = await subjectOf(world, each, isStaff);
        for (const policy of POLICIES.filter((name) => name.startsWith('staff') === isStaff)) {
          await setPolicy(world, policy);
          for (const call of CALLS)
            for (const transport of TRANSPORTS) {
              const told = await verdictOf(world, each, token, { asked: call, transport });
              const expected = oracle(each, policy, call);
              if (told !== expected) wrong.push({ ...each, policy, call, transport, told, expected });
              asked += 1;
            }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(1_000);
  });
});
