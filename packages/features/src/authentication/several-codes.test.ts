import { insertTestMember, readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type FactorAnswer, type FactorWorld, startFactorWorld } from '../test/factor-world.js';

const MINUTE_MS = 60_000;

/** A person who waits for a mailed code: requests another one, and types one of the codes. */
interface Way {
  /** Asks for a mail. */
  ask(): Promise<void>;
  /** The codes of all mails, newest first. */
  codes(): Promise<readonly string[]>;
  type(code: string, on?: FactorWorld['main']): Promise<Pick<FactorAnswer, 'status'>>;
  /** Whether the purpose expires no later than a code. */
  isOver?: boolean;
  /** How many may type it at once, within the limit of the member. */
  uses?: number;
}

const EIGHT_DIGITS = /^ {4}(\d{8})$/m;

async function codesOf(world: FactorWorld, to: string, pattern = EIGHT_DIGITS): Promise<readonly string[]> {
  const mails = (await readOutbox(world.main)).filter((mail) => mail.to === to);
  return mails.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
}

const ways: readonly [string, (world: FactorWorld) => Promise<Way>][] = [
  [
    'that shows again who is signed in',
    async (world) => {
      const { email, token } = await world.member();
      return {
        ask: async () => void (await world.call('verification.sendEmail', {}, { token })),
        codes: () => codesOf(world, email),
        type: (emailCode, on = world.main) => world.call('verification.prove', { emailCode }, { token, on }),
      };
    },
  ],
  [
    'that proves the mailbox for a first second factor',
    async (world) => {
      const { email, token } = await world.member({ isPersonnel: true, roleType: 6 });
      let secret = '';
      return {
        async ask() {
          secret = String((await world.call('totp.start', {}, { token })).data['secret']);
          await world.call('verification.sendEmail', {}, { token });
        },
        // Each is counted for the code of the app, too.
        uses: 10,
        codes: () => codesOf(world, email),
        type: (emailCode, on = world.main) => {
          const sent = { code: world.codeFor(secret), proof: { emailCode } };
          return world.call('totp.confirm', sent, { token, on });
        },
      };
    },
  ],
  [
    'that is the second step of a sign-in',
    async (world) => {
      const member = await world.member({ isProven: true });
      await world.call('factor.switch', { secondFactor: true, email: true }, { token: member.token });
      const { challenge } = await world.signIn(member);
      return {
        ask: async () => void (await world.call('signIn.stepEmail', { challenge })),
        isOver: true,
        codes: () => codesOf(world, member.email),
        type: (emailCode, on = world.main) => world.call('signIn.step', { challenge, emailCode }, { on }),
      };
    },
  ],
  [
    'that signs in by mail',
    async (world) => {
      const { email } = await world.member({ withSession: false });
      let flow: string | undefined;
      return {
        async ask() {
          flow = String((await world.call('signIn.requestEmail', { email, flow })).data['flow']);
        },
        codes: () => codesOf(world, email),
        type: (code, on = world.main) => world.call('signIn.email', { flow, code }, { on }),
      };
    },
  ],
  [
    'that our own page takes',
    async (world) => {
      const { email } = await world.member({ withSession: false });
      let cookie = '';
      const send = (body: object, on: FactorWorld['main']) =>
        on.send('/signIn', { body, headers: { cookie } });
      return {
        async ask() {
          const answer = await send({ email }, world.main);
          cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
        },
        codes: () => codesOf(world, email),
        type: (code, on = world.main) => send({ code }, on),
      };
    },
  ],
  [
    'that proves an address before an invitation',
    async (world) => {
      const { email, token } = await insertTestMember(world.db, { memberships: { 1: 2 }, now: world.nowMs });
      let flow: string | undefined;
      return {
        async ask() {
          const invited = { email: 'friend@elsewhere.test', roleType: 5 };
          const headers = { accountid: '1' };
          const { body } = await world.call('invitation.create', invited, { token, headers });
          flow = (body['error'] as { flow?: string } | undefined)?.flow;
          expect(body).toMatchObject({ error: { code: 'unconfirmed', flow: expect.any(String) } });
        },
        codes: () => codesOf(world, email),
        type: (code, on = world.main) => world.call('signIn.email', { flow, code }, { on }),
      };
    },
  ],
  [
    'that an administrator signs in with',
    (world) => {
      const email = 'root@gatehouse.test';
      return Promise.resolve({
        ask: async () => void (await world.main.send('/Adminsignin', { body: { email } })),
        codes: () => codesOf(world, email, /^ {4}([0-9a-f]{6})$/m),
        type: (password, on = world.main) => on.send('/Adminlogin', { body: { email, password } }),
      });
    },
  ],
];

describe.each(ways)('a mailed code %s', (_, begin) => {
  it('is still valid once within its own ten minutes after another is requested', async () => {
    await using world = await startFactorWorld();
    const { ask, codes, type } = await begin(world);
    await ask();
    world.wait(MINUTE_MS);
    await ask();
    const [second = '', first = ''] = await codes();
    expect(second).not.toBe(first);
    const answer = await type(first, world.other);
    expect(answer.status).toBe(200);
    expect((await type(first)).status).not.toBe(200);
  });

  it('does not make an older one valid again when its ten minutes are over', async () => {
    await using world = await startFactorWorld();
    const { ask, codes, type, isOver } = await begin(world);
    await ask();
    world.wait(8 * MINUTE_MS);
    await ask();
    world.wait(2 * MINUTE_MS);
    const [second = '', first = ''] = await codes();
    expect((await type(first)).status).not.toBe(200);
    if (isOver !== true) expect((await type(second)).status).toBe(200);
  });

  it('replaces the oldest of four', async () => {
    await using world = await startFactorWorld();
    const { ask, codes, type } = await begin(world);
    for (let times = 0; times < 4; times += 1) {
      await ask();
      world.wait(MINUTE_MS);
    }
    const [, , third = '', oldest = ''] = await codes();
    expect((await type(oldest)).status).not.toBe(200);
    expect((await type(third)).status).toBe(200);
  });

  it('is accepted once in many concurrent uses on two nodes, beside a newer one', async () => {
    await using world = await startFactorWorld();
    const { ask, codes, type, uses = 50 } = await begin(world);
    await ask();
    world.wait(MINUTE_MS);
    await ask();
    const [, first = ''] = await codes();
    const answers = await Promise.all(
      Array.from({ length: uses }, (_each, at) => type(first, at % 2 === 0 ? world.main : world.other)),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('several valid mailed codes', () => {
  it('are no easier to guess, because a wrong code is counted for each of them', async () => {
    await using world = await startFactorWorld();
    const { id, email, token } = await world.member();
    for (let times = 0; times < 2; times += 1) {
      await world.call('verification.sendEmail', {}, { token });
      world.wait(MINUTE_MS);
    }
    const taken = await codesOf(world, email);
    const wrong = ['00000000', '11111111', '22222222'].find((code) => !taken.includes(code));
    const guess = () => world.call('verification.prove', { emailCode: wrong }, { token });
    const { loginFailures, mailedCodes } = world.db.tables;
    const counted = async () => {
      const rows = await world.db.select().from(loginFailures);
      return rows.find(({ holder }) => holder === `emailCode:${id}`)?.failures;
    };
    const attempts = async () =>
      (await world.db.select().from(mailedCodes))
        .filter(({ memberId }) => memberId === id)
        .map((row) => row.attempts);

    expect((await guess()).status).toBe(401);
    expect([await counted(), await attempts()]).toEqual([2, [1, 1]]);
    const answers = await Promise.all(Array.from({ length: 12 }, guess));
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(await attempts()).toEqual([5, 5]);
    expect((await world.call('verification.prove', { emailCode: taken[1] }, { token })).status).not.toBe(200);
  });

  it('do not count a right older one as a wrong code', async () => {
    await using world = await startFactorWorld();
    const { email, token } = await world.member();
    for (let times = 0; times < 2; times += 1) {
      await world.call('verification.sendEmail', {}, { token });
      world.wait(MINUTE_MS);
    }
    const [, first = ''] = await codesOf(world, email);
    expect((await world.call('verification.prove', { emailCode: first }, { token })).status).toBe(200);
    const { limits } = world.db.tables;
    const points = (await world.db.select().from(limits)).filter(({ key }) => key.startsWith('second-step:'));
    expect(points.map((row) => row.points)).toEqual([0]);
  });

  it('each restore a member who deleted themselves, and a wrong code restores nobody', async () => {
    await using world = await startFactorWorld();
    const member = await world.member();
    const { email, token: session } = member;
    expect((await world.call('member.deleteOwn', {}, { token: session })).status).toBe(200);
    const [link = ''] = await codesOf(world, email, /\?token=([^\s&]+)/);
    const restore = (input: object) =>
      world.call('member.restoreOwn', { token: decodeURIComponent(link), ...input });
    for (let times = 0; times < 3; times += 1) {
      expect((await restore({})).code).toBe('proof_required');
      world.wait(MINUTE_MS);
    }
    const taken = await codesOf(world, email);
    expect(taken).toHaveLength(3);
    const wrong = ['00000000', '11111111', '22222222', '33333333'].find((code) => !taken.includes(code));
    expect((await restore({ emailCode: wrong })).code).toBe('invalid_credentials');
    expect((await world.signIn(member)).status).toBe(401);
    expect((await restore({ emailCode: taken[2] })).status).toBe(200);
    expect((await world.call('signIn.requestEmail', { email })).status).toBe(200);
    expect(await codesOf(world, email)).toHaveLength(4);
  });

  it('are accepted only in the requesting session, with any of its tokens', async () => {
    await using world = await startFactorWorld({ JWT_EXPIRES_IN: '600s' });
    const member = await world.member();
    const { email } = member;
    const [token = '', other = ''] = [await world.signIn(member), await world.signIn(member)].map(
      ({ data }) => data['token'] as string,
    );
    world.wait(6 * MINUTE_MS);
    await world.call('verification.sendEmail', {}, { token });
    const renewed = (await world.call('session.refresh', {}, { token })).data['token'] as string;
    expect(renewed).not.toBe(token);
    world.wait(MINUTE_MS);
    await world.call('verification.sendEmail', {}, { token: renewed });
    const [, first = ''] = await codesOf(world, email);
    const prove = (as: string) => world.call('verification.prove', { emailCode: first }, { token: as });
    expect((await prove(other)).status).toBe(401);
    expect((await prove(renewed)).status).toBe(200);
  });

  it('are the same code for two concurrent requests on two nodes', async () => {
    await using world = await startFactorWorld();
    const { email, token } = await world.member();
    await Promise.all(
      [world.main, world.other, world.main, world.other].map((on) =>
        world.call('verification.sendEmail', {}, { token, on }),
      ),
    );
    expect(await codesOf(world, email)).toHaveLength(1);
  });

  it('belong to one address and one browser, and another browser gets its own flow', async () => {
    await using world = await startFactorWorld();
    const one = await world.member({ withSession: false });
    const two = await world.member({ withSession: false });
    const ask = async (email: string, flow?: string) =>
      String((await world.call('signIn.requestEmail', { email, flow })).data['flow']);
    const mine = await ask(one.email);
    const theirs = await ask(two.email, mine);
    const [ofOne = ''] = await codesOf(world, one.email);
    const [ofTwo = ''] = await codesOf(world, two.email);
    expect((await world.call('signIn.email', { flow: theirs, code: ofOne })).status).toBe(401);
    expect((await world.call('signIn.email', { flow: mine, code: ofTwo })).status).toBe(401);
    expect((await world.call('signIn.email', { flow: mine, code: ofOne })).status).toBe(200);
    // A flow that is used up stays so, whatever else was mailed for it.
    const after = await ask(one.email, mine);
    const [fresh = ''] = await codesOf(world, one.email);
    expect((await world.call('signIn.email', { flow: mine, code: fresh })).status).toBe(401);
    expect((await world.call('signIn.email', { flow: after, code: fresh })).status).toBe(200);
    expect((await world.call('signIn.requestEmail', { email: one.email, flow: 'made up' })).status).toBe(200);
  });

  it('are delivered to the owner of the mailed links alike', async () => {
    await using world = await startFactorWorld();
    const { email } = await world.member({ withSession: false });
    let flow: string | undefined;
    for (let times = 0; times < 2; times += 1)
      flow = String((await world.call('signIn.requestEmail', { email, flow })).data['flow']);
    const links = await codesOf(world, email, /\/signIn#email=([\w-]{43})/);
    expect(links).toHaveLength(2);
    expect((await world.call('signIn.email', { flow, token: links[1] })).status).toBe(200);
    expect((await world.call('signIn.email', { flow, token: links[0] })).status).not.toBe(200);
  });
});
