import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type FactorAnswer, type FactorWorld, startFactorWorld } from '../test/factor-world.js';
import { openRecovery, passWait, signInRoot, ticketOf } from '../test/recovery-world.js';

const HOUR_MS = 3_600_000;
const NEW_PASSWORD = 'Copper-Meadow-17';
const HOME = { 'x-forwarded-for': '192.0.2.1' };
const ELSEWHERE = { 'x-forwarded-for': '203.0.113.1' };
const LAPTOP = { 'x-device-id': 'device-of-the-member-0001' };

type Headers = Readonly<Record<string, string>>;

/** A member whose only second step is a mailed code, who signed in at home with a laptop. */
async function startMember() {
  const env = { TRUSTED_PROXIES: '127.0.0.0/8', MAIL_REQUESTS_PER_ADDRESS: '1000' };
  const world = await startFactorWorld(env);
  const { id, email, token } = await world.member({ isProven: true });
  const on = await world.call('factor.switch', { secondFactor: true, email: true }, { token });
  const { backupCodes } = on.data as { backupCodes: string[] };
  const begin = (headers: Headers, password = NEW_PASSWORD) =>
    world.call('signIn.password', { email, password }, { headers });
  const home = { ...HOME, ...LAPTOP };
  const first = await takeByMail(world, { email, challenge: (await begin(home, PASSWORD)).challenge }, home);
  expect(first.status).toBe(200);
  return { world, id, email, backupCodes, begin, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

async function reset(world: FactorWorld, email: string): Promise<void> {
  await world.call('password.forgot', { email });
  const mail = (await readOutbox(world.main)).find(
    ({ kind, to }) => kind === 'passwordReset' && to === email,
  );
  const { status } = await world.call('password.reset', { token: mail?.token, password: NEW_PASSWORD });
  expect(status).toBe(200);
}

async function takeByMail(
  world: FactorWorld,
  { email, challenge }: { email: string; challenge: string },
  headers: Headers,
): Promise<FactorAnswer> {
  expect((await world.call('signIn.stepEmail', { challenge }, { headers })).status).toBe(200);
  return world.call('signIn.step', { challenge, emailCode: await world.mailedCode(email) }, { headers });
}

const withheldUntil = ({ body }: FactorAnswer) =>
  (body['error'] as { emailWithheldUntil?: string }).emailWithheldUntil;

describe('in the 72 hours after a reset by mail', () => {
  it('a mailed code is not offered, mailed or accepted as a second step in an unfamiliar place', async () => {
    await using start = await startMember();
    const { world, email, begin } = start;
    await reset(world, email);
    const endsAtMs = world.nowMs() + 72 * HOUR_MS;
    const begun = await begin(ELSEWHERE);
    expect(begun).toMatchObject({ code: 'second_factor_required', methods: ['backupCode'] });
    const emailWithheldUntil = new Date(endsAtMs).toISOString();
    expect(withheldUntil(begun)).toBe(emailWithheldUntil);
    const { challenge } = begun;
    const options = await world.call('signIn.stepOptions', { challenge }, { headers: ELSEWHERE });
    expect(options.data).toMatchObject({ methods: ['backupCode'], emailWithheldUntil });
    const asked = await world.call('signIn.stepEmail', { challenge }, { headers: ELSEWHERE });
    expect(asked.code).toBe('permission_denied');

    // A code that was mailed to a familiar place for the same challenge is not accepted elsewhere.
    expect((await world.call('signIn.stepEmail', { challenge }, { headers: HOME })).status).toBe(200);
    const emailCode = await world.mailedCode(email);
    const elsewhere = await world.call('signIn.step', { challenge, emailCode }, { headers: ELSEWHERE });
    expect(elsewhere.code).toBe('invalid_credentials');
    expect((await world.call('signIn.step', { challenge, emailCode }, { headers: HOME })).status).toBe(200);

    world.wait(72 * HOUR_MS - 1);
    expect((await begin(ELSEWHERE)).methods).toEqual(['backupCode']);
    world.wait(1);
    const later = await begin(ELSEWHERE);
    expect(later.methods).toEqual(['email', 'backupCode']);
    expect(withheldUntil(later)).toBeUndefined();
    expect((await takeByMail(world, { email, challenge: later.challenge }, ELSEWHERE)).status).toBe(200);
  });

  it('a mailed code is the second step on a network or device that the member signed in with', async () => {
    await using start = await startMember();
    const { world, email, begin } = start;
    await reset(world, email);
    for (const headers of [HOME, { ...ELSEWHERE, ...LAPTOP }]) {
      const { challenge, methods } = await begin(headers);
      expect(methods).toEqual(['email', 'backupCode']);
      expect((await takeByMail(world, { email, challenge }, headers)).status).toBe(200);
    }
  });

  it('a backup code and a recovery ticket are accepted everywhere, even when no other step is left', async () => {
    await using start = await startMember();
    const { world, id, email, backupCodes, begin } = start;
    await reset(world, email);
    // A sign-in makes its network familiar, so each comes from another one.
    for (const [index, backupCode] of backupCodes.entries()) {
      const headers = { 'x-forwarded-for': `203.0.113.${index + 1}` };
      const { challenge } = await begin(headers);
      const answer = await world.call('signIn.step', { challenge, backupCode }, { headers });
      expect(answer.status).toBe(200);
    }
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    const { challenge, methods } = await begin(headers);
    expect(methods).toEqual([]);
    const staff = await signInRoot(world);
    expect((await openRecovery(world, staff.token, id)).status).toBe(200);
    await passWait(world);
    const ticket = await ticketOf(world, email);
    expect((await world.call('signIn.step', { challenge, ticket }, { headers })).status).toBe(200);
  });
});

it('a password change does not affect mailed codes', async () => {
  await using start = await startMember();
  const { world, email, begin } = start;
  const signedIn = await takeByMail(
    world,
    { email, challenge: (await begin(HOME, PASSWORD)).challenge },
    HOME,
  );
  const { token } = signedIn.data as { token: string };
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  expect((await world.call('password.change', change, { token })).status).toBe(200);
  expect((await begin(ELSEWHERE)).methods).toEqual(['email', 'backupCode']);
});

const OTHER_LAPTOP = { 'x-device-id': 'device-of-a-stranger-0001' };

it('a code is mailed to the member in a familiar place and in a session, even if others know the password', async () => {
  await using world = await startFactorWorld({
    TRUSTED_PROXIES: '127.0.0.0/8',
    MAIL_REQUESTS_PER_ADDRESS: '1000',
  });
  const { email, token } = await world.member({ isProven: true });
  const on = { secondFactor: true, email: true };
  expect((await world.call('factor.switch', on, { token })).status).toBe(200);
  const codes = async () =>
    (await readOutbox(world.main)).filter(({ kind, to }) => kind === 'mailedCode' && to === email).length;
  const begin = async (headers: Record<string, string>) =>
    (await world.call('signIn.password', { email, password: PASSWORD }, { headers })).challenge;
  const ask = async (challenge: string, headers: Record<string, string>) =>
    expect((await world.call('signIn.stepEmail', { challenge }, { headers })).status).toBe(200);
  const askTooOften = async (headers: Record<string, string>) => {
    const challenge = await begin(headers);
    for (let times = 0; times < 12; times += 1) await ask(challenge, headers);
  };
  const getsOne = async (headers: Record<string, string>) => {
    const before = await codes();
    const challenge = await begin(headers);
    await ask(challenge, headers);
    if ((await codes()) === before) return false;
    const sent = { challenge, emailCode: await world.mailedCode(email) };
    return (await world.call('signIn.step', sent, { headers })).status === 200;
  };
  const elsewhere = { 'x-forwarded-for': '203.0.113.1' };
  expect(await getsOne({ ...HOME, ...LAPTOP })).toBe(true);

  await askTooOften({ ...OTHER_LAPTOP, 'x-forwarded-for': '198.51.100.1' });
  expect(await getsOne(elsewhere)).toBe(false);
  expect(await getsOne(HOME)).toBe(true);
  expect(await getsOne({ ...LAPTOP, ...elsewhere })).toBe(true);
  const before = await codes();
  await world.call('verification.sendEmail', {}, { token });
  expect(await codes()).toBe(before + 1);

  await askTooOften(HOME);
  expect(await getsOne(HOME)).toBe(false);
  await askTooOften({ ...LAPTOP, ...elsewhere });
  expect(await getsOne({ ...LAPTOP, ...elsewhere })).toBe(false);
  world.wait(HOUR_MS);
  expect(await getsOne({ 'x-forwarded-for': '192.0.2.99' })).toBe(true);
});
