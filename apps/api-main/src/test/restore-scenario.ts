import { ACME_SECRET } from '@gatehouse/features/test/partner-client';
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
  readonly ofPartner: string;
}

/** What the operator does to the partner after the backup. */
const SHUT_OUT = `gatehouse rotate-partner-secret acme-partner --overlap-days 0
gatehouse deactivate-partner acme-partner`;

/** Signs in, waits for the backup, and then makes the changes that the restore takes back. */
export async function actAroundBackup(
  service: SpawnedService,
  { backUp, operate }: { backUp: () => Promise<void>; operate: (lines: string) => Promise<string> },
): Promise<TokensOfBefore> {
  expect((await service.send('/register', { body: kept })).status).toBe(200);
  const inBackup = await signInByPassword(service, 'owner@cedar.test');
  const endedSince = await signInByPassword(service, 'owner@acme.test');
  const ofPartner = await authenticatePartner(service);
  expect(await askAsPartner(service, ofPartner)).toBe(404);
  await backUp();
  expect(await operate(SHUT_OUT)).toContain('is deactivated');
  expect(await askAsPartner(service, ofPartner)).toBe(401);
  expect((await service.send('/auth/logout', { method: 'POST', token: endedSince.token })).status).toBe(200);
  expect((await service.send('/register', { body: lost })).status).toBe(200);
  const ofLostMember = await signInByPassword(service, lost.email, password);
  const madeSince = await signInByPassword(service, kept.email, password);
  return {
    inBackup: inBackup.token,
    endedSince: endedSince.token,
    madeSince: madeSince.token,
    ofLostMember: ofLostMember.token,
    ofPartner,
  };
}

/** What everybody finds on a service over the restored database. */
export async function expectRestored(
  service: SpawnedService,
  { ofPartner, ...tokens }: TokensOfBefore,
): Promise<void> {
  expect((await service.send('/readyz')).status).toBe(200);
  const again = { ...lost, username: 'again' };
  expect((await service.send('/register', { body: again })).status).toBe(200);
  for (const [name, token] of Object.entries(tokens))
    expect([name, (await service.send('/auth/me', { token })).status]).toEqual([name, 401]);
  expect(await askAsPartner(service, ofPartner)).toBe(401);
  // The previous secret is valid again until the operator deactivates the partner once more.
  expect(await askAsPartner(service, await authenticatePartner(service))).toBe(404);
  const { token } = await signInByPassword(service, kept.email, password);
  expect(await (await service.send('/auth/me', { token })).json()).toMatchObject({
    member: { username: kept.username },
  });
}

async function authenticatePartner(service: SpawnedService): Promise<string> {
  const body = { partnerId: 'acme-partner', secretKey: ACME_SECRET };
  const response = await service.send('/partnerAuth/partnerAuthentication', { body });
  return ((await response.json()) as { token: string }).token;
}

/** 404, because nobody has this address, or 401 if the token is refused. */
async function askAsPartner(service: SpawnedService, bearer: string): Promise<number> {
  const body = { email: 'nobody@example.org' };
  return (await service.send('/partnerAuth/singleSignOn', { bearer, body })).status;
}
