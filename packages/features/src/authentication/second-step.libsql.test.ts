// @module-tag slow

import { sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredentialById, setPasswordHash } from '@gatehouse/db/queries/passwords';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import type { TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  type EnrolledMember,
  type FactorAnswer,
  type FactorWorld,
  readAnswer,
  startFactorWorld,
} from '../test/factor-world.js';
import { mailSubjects } from '../test/newest-mails.js';

const DESIGNER = 4;
const MINUTE_MS = 60_000;
const SOCIAL_LOGIN = { type: 'socialLogin', provider: 'google' } as const;

const PARTNER_LOGIN = {
  type: 'partnerLogin',
  role: null,
  defaultPaymentId: null,
  accountIds: [],
  partnerId: null,
} as const;

/** The token of a sign-in by a provider or a partner, as it is made at this moment. */
async function sealed(
  { main, db }: FactorWorld,
  claims: { readonly userId: number } & (typeof SOCIAL_LOGIN | typeof PARTNER_LOGIN),
): Promise<string> {
  const { sessionEpoch } = (await findCredentialById(db, claims.userId)) ?? {};
  return main.services.tokens.sealOneUse({ ...claims, sessionEpoch }, 300).token;
}

const social = (world: FactorWorld, userId: number) => sealed(world, { ...SOCIAL_LOGIN, userId });
const partner = (world: FactorWorld, userId: number) => sealed(world, { ...PARTNER_LOGIN, userId });

async function mailedPassword(world: FactorWorld, member: TestMember): Promise<string> {
  await world.main.send('/Adminsignin', { body: { email: member.email } });
  const answer = await world.main.send('/dev/outbox');
  const { data } = (await answer.json()) as { data: { to: string; kind: string; text: string }[] };
  const mail = data.find(({ to, kind }) => to === member.email && kind === 'oneTimePassword');
  return /^ {4}([0-9a-f]{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
}

/** Every way in: how it is called, what it proves, and the kind of its session. */
interface WayIn {
  readonly amr: 'pwd' | 'otp-mail' | 'social' | 'partner';
  readonly kind: 'session' | 'bearer';
  readonly roleType?: number;
  readonly enter: (world: FactorWorld, member: TestMember) => Promise<FactorAnswer>;
}

const post = async (world: FactorWorld, path: string, body: object) =>
  readAnswer(await world.main.send(path, { body }));

/** A refusal of tRPC in the form of REST's. */
async function overTrpc(response: Response): Promise<FactorAnswer> {
  const [first] = [await response.json()].flat() as {
    error?: { data: Record<string, unknown> };
    result?: { data: Record<string, unknown> };
  }[];
  const data = first?.error?.data ?? {};
  const body = first?.error ? { error: { ...data, code: data['reason'] } } : (first?.result?.data ?? {});
  const plain = Response.json(body, { status: first?.error ? Number(data['httpStatus']) : 200 });
  return readAnswer(plain);
}

const WAYS: Readonly<Record<string, WayIn>> = {
  '/webauthenticate by password': {
    amr: 'pwd',
    kind: 'session',
    enter: (world, { email }) => post(world, '/webauthenticate', { email, password: PASSWORD }),
  },
  '/webauthenticate by a provider': {
    amr: 'social',
    kind: 'session',
    enter: async (world, { id }) =>
      post(world, '/webauthenticate', { social: true, token: await social(world, id) }),
  },
  '/webauthenticate by a partner': {
    amr: 'partner',
    kind: 'session',
    enter: async (world, { id }) =>
      post(world, '/webauthenticate', { tempLogin: true, token: await partner(world, id) }),
  },
  '/authenticate': {
    amr: 'pwd',
    kind: 'bearer',
    enter: (world, { email }) => post(world, '/authenticate', { email, password: PASSWORD }),
  },
  '/desigrauthenticate': {
    amr: 'pwd',
    kind: 'session',
    roleType: DESIGNER,
    enter: (world, { email }) => post(world, '/desigrauthenticate', { email, password: PASSWORD }),
  },
  '/Adminlogin': {
    amr: 'otp-mail',
    kind: 'session',
    roleType: 1,
    enter: async (world, member) =>
      post(world, '/Adminlogin', { email: member.email, password: await mailedPassword(world, member) }),
  },
  'signIn.password': {
    amr: 'pwd',
    kind: 'session',
    enter: (world, { email }) => world.call('signIn.password', { email, password: PASSWORD }),
  },
  'signIn.token of a provider': {
    amr: 'social',
    kind: 'session',
    enter: async (world, { id }) => world.call('signIn.token', { token: await social(world, id) }),
  },
  'signIn.token of a partner': {
    amr: 'partner',
    kind: 'session',
    enter: async (world, { id }) => world.call('signIn.token', { token: await partner(world, id) }),
  },
  'signIn.password over tRPC': {
    amr: 'pwd',
    kind: 'session',
    enter: async (world, { email }) =>
      overTrpc(await world.main.send('/trpc/signIn.password', { body: { email, password: PASSWORD } })),
  },
  'login.bearer over tRPC': {
    amr: 'pwd',
    kind: 'bearer',
    enter: async (world, { email }) =>
      overTrpc(await world.main.send('/trpc/login.bearer', { body: { email, password: PASSWORD } })),
  },
  'signIn.password in a batch': {
    amr: 'pwd',
    kind: 'session',
    enter: async (world, { email }) =>
      overTrpc(
        await world.main.send('/trpc/signIn.password,signIn.stepOptions?batch=1', {
          body: { 0: { email, password: PASSWORD }, 1: { challenge: 'unknown' } },
        }),
      ),
  },
};

/** A member's factors. */
const HOLDINGS = ['nothing', 'an app', 'an app, switched off', 'mail', 'an app and mail'] as const;

type Holding = (typeof HOLDINGS)[number];

async function memberWith(
  world: FactorWorld,
  holding: Holding,
  roleType: number | undefined,
): Promise<TestMember & Partial<EnrolledMember>> {
  const options = roleType === undefined ? {} : { roleType };
  if (holding === 'nothing') return world.member(options);
  if (holding === 'mail') {
    const member = await world.member(options);
    const on = await world.call(
      'factor.switch',
      { secondFactor: true, email: true },
      { token: member.token },
    );
    return { ...member, backupCodes: on.data['backupCodes'] as string[] };
  }
  const member = await world.enrolled(options);
  const { token } = member;
  const sent = { secondFactor: holding !== 'an app, switched off', email: holding === 'an app and mail' };
  expect((await world.call('factor.switch', sent, { token })).status).toBe(200);
  return member;
}

/** The specification's table: no step without the switch; a mail is a step without an app, and never after a mail. */
function expectedMethods(holding: Holding, amr: WayIn['amr']): readonly string[] | undefined {
  switch (holding) {
    case 'nothing':
    case 'an app, switched off':
      return undefined;
    case 'mail':
      return amr === 'otp-mail' ? ['backupCode'] : ['email', 'backupCode'];
    case 'an app':
    case 'an app and mail':
      return ['totp', 'backupCode'];
  }
}

const STEPS = ['totp', 'email', 'backupCode'] as const;

async function codeFor(
  world: FactorWorld,
  member: TestMember & Partial<EnrolledMember>,
  step: (typeof STEPS)[number],
  challenge: string,
): Promise<object> {
  if (step === 'backupCode') return { backupCode: member.backupCodes?.[0] };
  if (step === 'totp') return { code: member.code?.() ?? '123456' };
  const mailed = await world.call('signIn.stepEmail', { challenge });
  return { emailCode: mailed.status === 200 ? await world.mailedCode(member.email) : '12345678' };
}

describe('the second step of a sign-in', () => {
  describe.each(Object.entries(WAYS))('by %s', (_name, way) => {
    it('is required, offered and accepted as the table says', async () => {
      await using world = await startFactorWorld();
      for (const holding of HOLDINGS) {
        const methods = expectedMethods(holding, way.amr);
        if (methods === undefined) {
          const free = await memberWith(world, holding, way.roleType);
          const answer = await way.enter(world, free);
          expect([holding, answer.status, answer.challenge]).toEqual([holding, 200, '']);
          continue;
        }
        for (const step of STEPS) {
          const member = await memberWith(world, holding, way.roleType);
          const begun = await way.enter(world, member);
          const what = `${holding}, ${step}`;
          expect([what, begun.status, begun.code, begun.methods]).toEqual([
            what,
            401,
            'second_factor_required',
            methods,
          ]);
          expect(begun.challenge).toMatch(/^[\w-]{43}$/);
          const { challenge } = begun;
          const sent = await codeFor(world, member, step, challenge);
          const done = await world.call('signIn.step', { challenge, ...sent });
          const isTaken = methods.includes(step);
          expect([what, done.status]).toEqual([what, isTaken ? 200 : 401]);
          if (!isTaken) continue;
          const own = { totp: ['totp'], backupCode: ['rc'], email: [] }[step];
          expect(done.data).toMatchObject({
            userId: member.id,
            level: step === 'email' ? 1 : 2,
            methods: [way.amr, ...own],
            requires: null,
          });
          const token = String(done.data['token']);
          const seen = way.kind === 'bearer' ? { bearer: token } : { token };
          expect((await world.other.send('/auth/me', seen)).status).toBe(200);
          expect((await world.call('signIn.step', { challenge, ...sent })).code).toBe('invalid_challenge');
        }
      }
    }, 120_000);
  });

  it('does not add a challenge or the member to the plain login', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const response = await world.main.send('/login', { body: { email: member.email, password: PASSWORD } });
    const { requestId: _id, ...body } = (await response.json()) as Record<string, unknown>;
    expect([response.status, body]).toEqual([
      401,
      {
        status: false,
        message: 'A second factor is required to sign in.',
        error: { code: 'second_factor_required' },
      },
    ]);
  });

  it('returns the challenge at the top level of problem details, and in the data of tRPC', async () => {
    await using world = await startFactorWorld();
    const { email } = await world.enrolled();
    const body = { email, password: PASSWORD };
    const headers = { accept: 'application/problem+json' };
    const problem = await world.main.send('/webauthenticate', { body, headers });
    expect(await problem.json()).toMatchObject({
      code: 'second_factor_required',
      challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      methods: ['totp', 'backupCode'],
      expiresAt: new Date(world.nowMs() + 600_000).toISOString(),
    });
    const trpc = await world.main.send('/trpc/login.web', { body });
    expect(await trpc.json()).toMatchObject({
      error: { data: { reason: 'second_factor_required', methods: ['totp', 'backupCode'] } },
    });
  });

  it('treats wrong credentials as before, and consumes one-use proofs', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const wrong = { email: member.email, password: 'Wrong-Harbor-42' };
    const refused = await world.main.send('/webauthenticate', { body: wrong });
    const { requestId: _id, ...body } = (await refused.json()) as Record<string, unknown>;
    expect(body).toEqual({
      status: false,
      message: 'The email or the password is wrong.',
      error: { code: 'invalid_credentials' },
    });
    const token = await social(world, member.id);
    expect((await world.call('signIn.token', { token })).code).toBe('second_factor_required');
    expect((await world.call('signIn.token', { token })).code).toBe('invalid_token');
  });
});

describe('a challenge', () => {
  it('works only for the client and deployment it was made for', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const headers = { origin: 'http://localhost:3000', 'user-agent': 'one' };
    const body = { email: member.email, password: PASSWORD };
    const { challenge } = await world.call('signIn.password', body, { headers });
    const step = (how: { headers?: Record<string, string>; on?: FactorWorld['admin'] }) =>
      world.call('signIn.step', { challenge, code: member.code() }, how);
    const others = [
      { headers: { ...headers, 'user-agent': 'another' } },
      { headers: { ...headers, origin: 'http://localhost:3001' } },
      { headers: { 'user-agent': 'one' } },
      { headers, on: world.admin },
    ];
    for (const other of others) expect((await step(other)).code).toBe('invalid_challenge');
    expect((await step({ headers })).status).toBe(200);
  });

  it('ends after ten minutes, and when the password, the factors or the sessions it was made with change', async () => {
    await using world = await startFactorWorld();
    const ends: Record<string, (member: EnrolledMember) => Promise<unknown>> = {
      time: async () => world.wait(10 * MINUTE_MS),
      password: async ({ id }) => {
        const { members } = world.db.tables;
        const rows = await world.db.select({ id: members.id, password: members.password }).from(members);
        const stored = rows.find((row) => row.id === id)?.password ?? '';
        return setPasswordHash(world.db, id, stored, stored.replace(/.$/, 'x'));
      },
      factors: ({ token }) => world.call('factor.newBackupCodes', {}, { token }),
      sessions: ({ id }) =>
        changeAccess(world.db, { members: [id] }, (tx) =>
          endAllSessions(tx, id, { nowMs: world.nowMs(), reason: 'revoked', endedById: null }),
        ),
    };
    for (const [what, end] of Object.entries(ends)) {
      const member = await world.enrolled();
      const { challenge } = await world.signIn(member);
      await end(member);
      const answer = await world.call('signIn.step', { challenge, code: member.code() });
      expect([what, answer.status, answer.code]).toEqual([what, 403, 'invalid_challenge']);
    }
    const unknown = await world.call('signIn.step', { challenge: 'x'.repeat(43), code: '123456' });
    expect(unknown.code).toBe('invalid_challenge');
  });
});

describe('codes in the second step', () => {
  it('are compared five times per challenge, malformed ones not at all', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { challenge } = await world.signIn(member);
    const wrong = () => world.call('signIn.step', { challenge, code: member.wrongCode() });
    for (const code of ['', '12345', '1234567', '12345a', '一二三四五六'])
      expect((await world.call('signIn.step', { challenge, code })).status).toBe(400);
    const codes: (string | undefined)[] = [];
    for (let tries = 0; tries < 6; tries += 1) codes.push((await wrong()).code);
    expect(codes).toEqual([...Array<string>(5).fill('invalid_credentials'), 'invalid_challenge']);
    const next = await world.signIn(member);
    const spaced = member.code().replace(/^(...)/, '$1 - ');
    const done = await world.call('signIn.step', { challenge: next.challenge, code: spaced });
    expect(done.status).toBe(200);
  });

  it('are counted before they are compared: of 200 concurrent ones five are compared', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { challenge } = await world.signIn(member);
    const code = member.wrongCode();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        world.call('signIn.step', { challenge, code }, { on: at % 2 === 0 ? world.main : world.other }),
      ),
    );
    const count = (reason: string) => answers.filter((answer) => answer.code === reason).length;
    expect([count('invalid_credentials'), count('invalid_challenge')]).toEqual([5, 195]);
  }, 60_000);

  it('are limited per member across challenges, which ends the challenge, and right codes do not count', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    for (let turn = 0; turn < 4; turn += 1) {
      const { challenge } = await world.signIn(member);
      for (let tries = 0; tries < 5; tries += 1)
        await world.call('signIn.step', { challenge, code: member.wrongCode() });
    }
    const { challenge } = await world.signIn(member);
    const limited = await world.call('signIn.step', { challenge, code: member.code() });
    expect([limited.status, limited.code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const ended = await world.call('signIn.step', { challenge, code: member.code() });
    expect(ended.code).toBe('invalid_challenge');
    world.wait(15 * MINUTE_MS);
    for (let turn = 0; turn < 3; turn += 1) {
      world.wait(MINUTE_MS);
      const again = await world.signIn(member);
      const done = await world.call('signIn.step', { challenge: again.challenge, code: member.code() });
      expect(done.status).toBe(200);
    }
  }, 60_000);

  it('are not counted when a right one is refused for another reason', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const challenges: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const token = await partner(world, member.id);
      challenges.push((await world.call('signIn.token', { token })).challenge);
    }
    // A partner that is gone: the code is right, and the transaction refuses.
    const { signInChallenges, loginFailures } = world.db.tables;
    await world.db.write(world.db.update(signInChallenges).set({ partnerId: 9999 }));
    for (const challenge of challenges) {
      for (let tries = 0; tries < 5; tries += 1) {
        const refused = await world.call('signIn.step', { challenge, code: member.code() });
        expect(refused.code).toBe('invalid_challenge');
      }
    }
    const rows = await world.db.select().from(loginFailures);
    expect(rows.filter(({ failures }) => failures > 0)).toEqual([]);
    const { challenge } = await world.signIn(member);
    expect((await world.call('signIn.step', { challenge, code: member.code() })).status).toBe(200);
  });

  it('lock their kind after a hundred wrong ones in a row, until another kind succeeds', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const { loginFailures } = world.db.tables;
    await world.db.write(world.db.update(loginFailures).set({ failures: 98 }));
    const attempt = async (sent: object) =>
      world.call('signIn.step', { challenge: (await world.signIn(member)).challenge, ...sent });
    const code = () => ({ code: member.code() });
    expect((await attempt({ code: member.wrongCode() })).status).toBe(401);
    expect((await attempt({ code: member.wrongCode() })).status).toBe(401);
    const locked = await attempt(code());
    expect([locked.status, locked.code]).toEqual([429, 'rate_limited']);
    expect(await mailSubjects(world.main, member.email)).toContain('A second factor was locked');
    expect((await attempt({ backupCode: member.backupCodes[0] })).status).toBe(200);
    expect((await attempt(code())).status).toBe(200);
  });

  it('are accepted once, including the one that confirmed the app and earlier ones', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const attempt = async (code: string) =>
      world.call('signIn.step', { challenge: (await world.signIn(member)).challenge, code });
    expect((await attempt(member.code(-2))).status).toBe(401);
    expect((await attempt(member.code())).status).toBe(200);
    expect((await attempt(member.code())).status).toBe(401);
    expect((await attempt(member.code(-1))).status).toBe(401);
    expect((await attempt(member.code(1))).status).toBe(200);
  });

  it('from the list of backup codes may be typed in any form, are accepted once, cause a mail, and prompt when few are left', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    expect(new Set(member.backupCodes).size).toBe(10);
    const attempt = async (backupCode: string) =>
      world.call('signIn.step', { challenge: (await world.signIn(member)).challenge, backupCode });
    const [first = '', ...others] = member.backupCodes;
    const done = await attempt(first.toLowerCase().replaceAll('-', ' '));
    expect([done.status, done.data['prompts']]).toEqual([200, []]);
    expect((await attempt(first)).status).toBe(401);
    for (const code of others.slice(0, 5)) expect((await attempt(code)).data['prompts']).toEqual([]);
    expect((await attempt(others[5] ?? '')).data['prompts']).toEqual(['newBackupCodes']);
    const mails = await mailSubjects(world.main, member.email);
    expect(mails.filter((subject) => subject === 'A backup code was used')).toHaveLength(7);
    const stored = await world.db.select().from(world.db.tables.backupCodes);
    for (const { digest } of stored) expect(digest).not.toBe(sha256Hex(first));
  });
});
