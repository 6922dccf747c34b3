import { changeAccess } from '@gatehouse/db';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { createAuthenticator, readOutbox, signInByPassword, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import type { FactorWorld } from '../test/factor-world.js';
import { addPasskey, startPasskeyWorld } from '../test/passkey-world.js';

const VICTIM = 'victim@example.com';
const NEW_PASSWORD = 'a quite new passphrase';

const linkTo = async (world: FactorWorld, kind: string, to: string) => {
  const mails = await readOutbox(world.main);
  return mails.find((mail) => mail.kind === kind && mail.to === to)?.token ?? '';
};

const confirm = async (
  world: FactorWorld,
  how: { password?: string; token?: string } = {},
): Promise<{ status: number; code: string | undefined }> => {
  const { token, ...password } = how;
  const body = { token: await linkTo(world, 'activation', VICTIM), ...password };
  const response = await world.other.send('/confirmationDetails', {
    body,
    ...(token === undefined ? {} : { token }),
  });
  const answer = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: answer.error?.code };
};

const approve = async (world: FactorWorld, from: string) => {
  const token = await linkTo(world, 'addressApproval', from);
  expect((await world.call('email.approve', { token, approve: true })).status).toBe(200);
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
  it("takes nobody's address by a click of its owner", async () => {
    await using world = await startPasskeyWorld();
    const { token, email } = await setUp(world);
    await world.call('email.change', { email: VICTIM }, { token });
    await approve(world, email);
    expect(await confirm(world)).toEqual({ status: 403, code: 'password_required' });
    expect(await confirm(world, { password: 'not the password' })).toMatchObject({ status: 401 });
    expect(await me(world, token)).toMatchObject({ email, pendingEmail: VICTIM, awaits: ['new'] });
  });

  it('moves with the password or a session, and a reset then ends no factor', async () => {
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

it('asks the new mailbox again for a member who added a factor after its click', async () => {
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

it('gives somebody without an address none by a click, once they have a factor', async () => {
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

it('lets a click move what staff ask for, for members who lost the mailbox with the password', async () => {
  await using world = await startPasskeyWorld();
  const { id, token } = await world.enrolled();
  const staff = await signInByPassword(world.admin, 'root@gatehouse.test', DEMONSTRATION_PASSWORD);
  const changed = await world.admin.send('/updateUser', {
    body: { id, email: VICTIM },
    token: staff.token,
  });
  expect(changed.status).toBe(200);
  expect(await confirm(world)).toMatchObject({ status: 200 });
  expect(await me(world, token)).toMatchObject({ email: VICTIM });
});
