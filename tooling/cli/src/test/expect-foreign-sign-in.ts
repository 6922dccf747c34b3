import { totpCode, totpStep } from '@gatehouse/auth-core';
import { readAnswer } from '@gatehouse/features/test/factor-world';
import { socialSession } from '@gatehouse/features/test/social-session';
import { fromBase32 } from '@gatehouse/testkit';
import { expect } from 'vitest';
import type { ForeignImportWorld } from './foreign-import-world.js';
import type { MadeUpPerson } from './foreign-people.js';

/**
 * Expects that a person signs in the first time: with the old password, the authenticator app if they had one, and each of their
 * providers; and that a disabled person does not.
 */
export async function expectSignIn(
  { service }: Pick<ForeignImportWorld, 'service'>,
  person: Pick<MadeUpPerson, 'email' | 'password' | 'oddity' | 'isDisabled' | 'providers'> & {
    readonly totp?: string | undefined;
  },
): Promise<void> {
  const { email, password, totp, oddity, isDisabled } = person;
  const ask = async (name: string, body: object) =>
    readAnswer(await service.send(`/v1/signIn/${name}`, { body }));
  const first = await ask('password', { email, password });
  const expected = isDisabled
    ? 'invalid_credentials'
    : totp === undefined
      ? undefined
      : 'second_factor_required';
  expect([oddity, first.code]).toEqual([oddity, expected]);
  if (totp !== undefined) {
    const code = totpCode(fromBase32(totp), totpStep(Date.now()));
    expect([oddity, (await ask('step', { challenge: first.challenge, code })).status]).toEqual([oddity, 200]);
  }
  const userIds = new Set<number>();
  for (const [provider, id] of Object.entries(person.providers)) {
    const { userId } = await socialSession(service, provider, { id, email: `other-${id}@else.example` });
    userIds.add(userId);
  }
  expect(userIds.size).toBe(Object.keys(person.providers).length > 0 ? 1 : 0);
}
