import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { createAuthenticator, readOutbox, signInByPassword, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { EnrolledMember, FactorWorld } from '../test/factor-world.js';
import { addPasskey, startPasskeyWorld, usePasskey } from '../test/passkey-world.js';

const VICTIM = 'victim@example.com';
const NEW_PASSWORD = 'a quite new passphrase';

const linkTo = async (world: FactorWorld, kind: string, to: string) => {
  const mails = await readOutbox(world.main);
  return mails.find((mail) => mail.kind === kind && mail.to === to)?.token ?? '';
};

const confirm = async (
  world: FactorWorld,
  how: { password?: string; code?: string; backupCode?: string; emailCode?: string; token?: string } = {},
): Promise<{ status: number; code: string | undefined }> => {
  const { token, ...proof } = how;
  const body = { token: await linkTo(world, 'activation', VICTIM), ...proof };
  const response = await world.other.send('/confirmationDetails', {
    body,
    ...(token === undefined ? {} : { token }),
  });
  const answer = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: answer.error?.code };
};

const approve = async (world: FactorWorld, from: string) => {
  const token = await linkTo(world, 'addressApproval', from);
  expect(
    (await world.call('email.approve', { token, approve: true, password: DEMONSTRATION_PASSWORD })).status,
  ).toBe(200);
};

const me = async (world: FactorWorld, token: string) => {
  const response = await world.main.send('/auth/me', { token });
  return ((await response.json()) as { member: Record<string, unknown> }).member;
};

const factorsOf = async (world: FactorWorld, token: string) =>
  (await world.call('factor.list', {}, { token, query: true })).data;

const SETUPS: Record<string, (world: FactorWorld) => Promise<TestMember>> = {
  'an authenticator app': (world) => world.enrolled(),
  async 'a passkey'(world) {
    const member = await world.member();
    await addPasskey(world, member, createAuthenticator({ origin: 'http://localhost:4000' }));
    return member;
  },
  async 'a mailed second step'(world) {
    const member = await world.member();
    const on = { secondFactor: true, email: true };
    expect((await world.call('factor.switch', on, { token: member.token })).status).toBe(200);
    return member;
  },
};

describe.each(Object.entries(SETUPS))('a member with %s', (_what, setUp) => {
  it('does not change to a new address when its owner only clicks the link', async () => {
    await using world = await startPasskeyWorld();
    const { token, email } = await setUp(world);
    await world.call('email.change', { email: VICTIM }, { token });
    await approve(world, email);
    expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
    expect(await confirm(world, { password: 'not the password' })).toMatchObject({ status: 401 });
    expect(await me(world, token)).toMatchObject({ email, pendingEmail: VICTIM, awaits: ['new'] });
  });

  it('gets the new address with the password or a session, and a later reset ends no factor', async () => {
    await using world = await startPasskeyWorld();
    const { token } = await setUp(world);
    const { members } = world.db.tables;
    const before = await factorsOf(world, token);
    await world.db.transaction((tx) => tx.write(tx.update(members).set({ emailConfirmedAtMs: null })));
    await world.call('email.change', { email: VICTIM }, { token });
    expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
    expect(await confirm(world, { password: DEMONSTRATION_PASSWORD })).toMatchObject({ status: 200 });
    expect(await me(world, token)).toMatchObject({ email: VICTIM, pendingEmail: null });
    await world.main.send('/forgotPassword', { body: { email: VICTIM } });
    const body = { token: await linkTo(world, 'passwordReset', VICTIM), password: NEW_PASSWORD };
    expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
    const answer = await world.call('signIn.password', { email: VICTIM, password: NEW_PASSWORD });
    if (before['secondFactor'] === true) expect(answer.code).toBe('second_factor_required');
    else
      expect(await factorsOf(world, String(answer.data['token']))).toMatchObject({
        passkeys: before['passkeys'],
      });
  });
});

it('the new mailbox must confirm again after the member added a factor', async () => {
  await using world = await startPasskeyWorld();
  const { token, email } = await world.member();
  await world.call('email.change', { email: VICTIM }, { token });
  expect(await confirm(world)).toMatchObject({ status: 200 });
  const on = { secondFactor: true, email: true };
  expect((await world.call('factor.switch', on, { token })).status).toBe(200);
  const first = await linkTo(world, 'activation', VICTIM);
  await approve(world, email);
  expect(await me(world, token)).toMatchObject({ email, pendingEmail: VICTIM, awaits: ['new'] });
  expect(await linkTo(world, 'activation', VICTIM)).not.toBe(first);
  expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
  expect(await confirm(world, { token })).toMatchObject({ status: 200 });
  expect(await me(world, token)).toMatchObject({ email: VICTIM, pendingEmail: null });
});

it('a member without an address who has a factor does not get one by a click', async () => {
  await using world = await startPasskeyWorld();
  const member = await world.member();
  const { members } = world.db.tables;
  await changeAccess(world.db, { members: [member.id] }, (tx) =>
    tx.write(tx.update(members).set({ email: null, emailKey: null, ownerProvenAtMs: null })),
  );
  await addPasskey(world, member, createAuthenticator({ origin: 'http://localhost:4000' }));
  await world.call('email.change', { email: VICTIM }, { token: member.token });
  expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
  expect(await confirm(world, { token: member.token })).toMatchObject({ status: 200 });
});

/** Staff ask for the victim's address in the place of the member's. */
async function askAsStaff(world: FactorWorld, id: number): Promise<void> {
  const staff = await signInByPassword(world.admin, 'root@gatehouse.test', DEMONSTRATION_PASSWORD);
  const body = { id, email: VICTIM };
  expect((await world.admin.send('/updateUser', { body, token: staff.token })).status).toBe(200);
}

const resetPassword = async (world: FactorWorld) => {
  await world.main.send('/forgotPassword', { body: { email: VICTIM } });
  const body = { token: await linkTo(world, 'passwordReset', VICTIM), password: NEW_PASSWORD };
  return (await world.main.send('/resetPassword', { body })).status;
};

const isAsked = async (world: FactorWorld) => {
  const query = new URLSearchParams({ token: await linkTo(world, 'activation', VICTIM) });
  const response = await world.other.send(`/confirmationDetails?${query.toString()}`);
  return ((await response.json()) as { asksProof: boolean }).asksProof;
};

describe('a change of address requested by staff', () => {
  it.each(Object.entries(SETUPS))(
    'does not change the address of a member with %s by a click, however often, and its link stays valid for a proof',
    async (_what, setUp) => {
      await using world = await startPasskeyWorld();
      const { id, token, email } = await setUp(world);
      await askAsStaff(world, id);
      expect(await isAsked(world)).toBe(true);
      for (let press = 0; press < 3; press += 1)
        expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
      const stranger = await world.member();
      expect(await confirm(world, { token: stranger.token })).toMatchObject({ code: 'password_required' });
      expect(await confirm(world, { password: 'not the password' })).toMatchObject({ status: 401 });
      expect(await me(world, token)).toMatchObject({ email, pendingEmail: VICTIM, awaits: ['new'] });
      expect(await confirm(world, { password: DEMONSTRATION_PASSWORD })).toMatchObject({ status: 200 });
      expect(await me(world, token)).toMatchObject({ email: VICTIM, pendingEmail: null });
    },
  );

  it("leaves the former holder no way to sign in after the owner's click and reset", async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    const device = createAuthenticator({ origin: 'http://localhost:4000' });
    const { passkey } = await addPasskey(world, member, device);
    await askAsStaff(world, member.id);
    await confirm(world);
    await resetPassword(world);
    const entered = await usePasskey(world, passkey);
    expect(entered.status).toBe(200);
    const own = await me(world, String(entered.data['token']));
    expect(own).toMatchObject({ email: member.email });
    expect((await world.signIn({ ...member, email: VICTIM })).status).toBe(401);
  });

  it.each<[string, (member: EnrolledMember) => { code: string } | { backupCode: string }]>([
    ['a code of the app', (member) => ({ code: member.code() })],
    ['a backup code', ({ backupCodes: [backupCode = ''] }) => ({ backupCode })],
  ])(
    'changes the address of a member who lost the mailbox and the password by %s, once',
    async (_what, proofOf) => {
      await using world = await startPasskeyWorld();
      const member = await world.enrolled();
      await askAsStaff(world, member.id);
      const proof = proofOf(member);
      const wrong = 'code' in proof ? { code: member.wrongCode() } : { backupCode: '0000000000000' };
      expect(await confirm(world, wrong)).toEqual({ status: 401, code: 'invalid_credentials' });
      const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(world, proof)));
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      expect(await me(world, member.token)).toMatchObject({ email: VICTIM, pendingEmail: null });
      expect(await findMemberFactors(world.db, member.id)).toMatchObject({
        ownerProvenAtMs: expect.any(Number) as number,
        backupCodesLeft: 'code' in proof ? 10 : 9,
      });
      // The proof that moved the address is used up, and the reset that follows ends no factor.
      expect(await resetPassword(world)).toBe(200);
      const login = { email: VICTIM, password: NEW_PASSWORD };
      const { code, challenge } = await world.call('signIn.password', login);
      expect(code).toBe('second_factor_required');
      expect((await world.call('signIn.step', { challenge, ...proof })).status).toBe(401);
      const [, another = ''] = member.backupCodes;
      expect((await world.call('signIn.step', { challenge, backupCode: another })).status).toBe(200);
    },
  );

  it("refuses another member's code, a mailed code, and two proofs together", async () => {
    await using world = await startPasskeyWorld();
    const [member, other] = [await world.enrolled(), await world.enrolled()];
    await askAsStaff(world, member.id);
    expect(await confirm(world, { code: other.code() })).toMatchObject({ status: 401 });
    const [foreign = ''] = other.backupCodes;
    expect(await confirm(world, { backupCode: foreign })).toMatchObject({ status: 401 });
    await world.call('verification.sendEmail', {}, { token: member.token });
    const emailCode = await world.mailedCode(member.email);
    expect(await confirm(world, { emailCode })).toMatchObject({ status: 403, code: 'password_required' });
    const both = { code: member.code(), password: DEMONSTRATION_PASSWORD };
    expect(await confirm(world, both)).toMatchObject({ status: 400 });
    expect(await me(world, member.token)).toMatchObject({ email: member.email, pendingEmail: VICTIM });
  });

  it('compares at most twenty codes that others send with the link', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.enrolled();
    await askAsStaff(world, member.id);
    const guesses = await Promise.all(
      Array.from({ length: 60 }, () => confirm(world, { code: member.wrongCode() })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(guesses.filter(({ code }) => code === 'rate_limited')).toHaveLength(40);
    expect(await me(world, member.token)).toMatchObject({ email: member.email });
  });

  it('changes the address of members without a second factor by a click', async () => {
    await using world = await startPasskeyWorld();
    const member = await world.member();
    await askAsStaff(world, member.id);
    expect(await isAsked(world)).toBe(false);
    expect(await confirm(world)).toMatchObject({ status: 200 });
    expect(await me(world, member.token)).toMatchObject({ email: VICTIM });
  });
});
