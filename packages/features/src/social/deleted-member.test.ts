import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { describe, expect, inject, it } from 'vitest';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { type SocialWorld, startSocialWorld } from '../test/social-world.js';
import { renewConnection } from './renew-connection.js';

const dialect = inject('dialect');
const HOUR_MS = 3_600_000;
const MEMBER = 3;
const OWNER = { email: 'owner@acme.test', isEmailVerified: true };

const GONE = {
  memberId: MEMBER,
  accessToken: null,
  refreshToken: null,
  email: null,
  displayName: null,
  scopes: null,
  twtAccounts: null,
  detail: null,
  tokenStatus: 'revoked',
  renewDueAtMs: null,
  leaseToken: null,
};

async function connectionsIn({ service: { database } }: SocialWorld) {
  return database.select().from(database.tables.socialConnections);
}

const removeOwner = ({ service: { database } }: SocialWorld) =>
  changeAccess(database, { members: [MEMBER] }, (tx) => removeMember(tx, { memberId: MEMBER, nowMs: 1 }));

describe('data from providers about a deleted member', () => {
  it('is deleted at once, and returns with the next sign-in of a restored member', async () => {
    await using world = await startSocialWorld({ dialect });
    const { database } = world.service;
    const signIn = () => socialSession(world.service, 'google', OWNER);
    await signIn();
    expect(await connectionsIn(world)).toMatchObject([{ tokenStatus: 'valid', email: OWNER.email }]);
    await removeOwner(world);
    expect(await connectionsIn(world)).toMatchObject([GONE]);

    const { members } = database.tables;
    await database.write(database.update(members).set({ isDeleted: false }));
    expect((await signIn()).userId).toBe(MEMBER);
    const restored = await connectionsIn(world);
    expect(restored).toMatchObject([{ tokenStatus: 'valid', email: OWNER.email }]);
    expect(restored.flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken])).not.toContain(
      null,
    );
  });

  it('is not restored by a renewal in progress', async () => {
    const clock = { now: Date.now() };
    await using world = await startSocialWorld({ dialect, now: () => clock.now });
    const { service, simulator } = world;
    await socialSession(service, 'google', OWNER);
    const [connection] = await connectionsIn(world);
    clock.now += HOUR_MS;
    simulator.tell('google', { token: 'slow' });
    const renewal = renewConnection(service.services, connection?.id ?? 0);
    await expect.poll(() => simulator.tokenRequests('google')).toBe(2);
    await removeOwner(world);
    expect(await renewal).toBe(true);
    expect(await connectionsIn(world)).toMatchObject([GONE]);
  });

  it('is not restored by simultaneous sign-ins', async () => {
    await using world = await startSocialWorld({ dialect });
    await socialSession(world.service, 'google', OWNER);
    const visit = () => createSocialBrowser(world.service).visit('/social/google', { person: OWNER });
    const visits = Array.from({ length: 8 }, visit);
    await Promise.race(visits);
    await removeOwner(world);
    await Promise.all(visits);
    expect(await connectionsIn(world)).toMatchObject([GONE]);
  });
});
