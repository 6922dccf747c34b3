import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { readOutbox } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startFactorWorld } from '../../test/factor-world.js';

const HOUR_MS = 3_600_000;
const HOME = { 'x-forwarded-for': '192.0.2.1' };
const LAPTOP = { 'x-device-id': 'device-of-the-member-0001' };
const OTHER_LAPTOP = { 'x-device-id': 'device-of-a-stranger-0001' };

it('is mailed to the member where they signed in from before, and in a session, whoever else knows the password', async () => {
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
