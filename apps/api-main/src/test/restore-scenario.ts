import { type SpawnedService, signInByPassword } from '@gatehouse/testkit';
import { expect } from 'vitest';

const password = 'Lantern-Harbor-43';
const kept = { username: 'Zoë 🔑', password, email: 'zoe@many.test' };
const lost = { username: 'later', password, email: 'later@many.test' };

/** The tokens that a restore has to end. */
export interface TokensOfBefore {
  readonly inBackup: string;
  readonly endedSince: string;
  readonly madeSince: string;
  readonly ofLostMember: string;
}

/** Signs in, lets the backup be made, and then does what the restore takes back. */
export async function actAroundBackup(
  service: SpawnedService,
  backUp: () => Promise<void>,
): Promise<TokensOfBefore> {
  expect((await service.send('/register', { body: kept })).status).toBe(200);
  const inBackup = await signInByPassword(service, 'owner@cedar.test');
  const endedSince = await signInByPassword(service, 'owner@acme.test');
  await backUp();
  expect((await service.send('/auth/logout', { method: 'POST', token: endedSince.token })).status).toBe(200);
  expect((await service.send('/register', { body: lost })).status).toBe(200);
  const ofLostMember = await signInByPassword(service, lost.email, password);
  const madeSince = await signInByPassword(service, kept.email, password);
  return {
    inBackup: inBackup.token,
    endedSince: endedSince.token,
    madeSince: madeSince.token,
    ofLostMember: ofLostMember.token,
  };
}

/** What everybody finds on a service over the restored database. */
export async function expectRestored(service: SpawnedService, tokens: TokensOfBefore): Promise<void> {
  expect((await service.send('/readyz')).status).toBe(200);
  const again = { ...lost, username: 'again' };
  expect((await service.send('/register', { body: again })).status).toBe(200);
  for (const [name, token] of Object.entries(tokens))
    expect([name, (await service.send('/auth/me', { token })).status]).toEqual([name, 401]);
  const { token } = await signInByPassword(service, kept.email, password);
  expect(await (await service.send('/auth/me', { token })).json()).toMatchObject({
    member: { username: kept.username },
  });
}
