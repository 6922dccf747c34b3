import { randomId } from '@gatehouse/auth-core';
import { insertConnection, insertSocialState } from '@gatehouse/db';
import { connectionContent } from '@gatehouse/features/social/connection-content';
import { sealIdentity } from '@gatehouse/features/social/identity-payload';
import { newCode } from '@gatehouse/features/social/one-use-code';
import type { ProvenIdentity } from '@gatehouse/features/social/proven-identity';
import { type AccessScene, SCENE_PASSWORD } from './access-scene.js';
import type { GuardedCall } from './guarded-call.js';

/** The calls of both deployments. */
export const SHARED_CALLS: Readonly<Record<string, GuardedCall>> = {
  'password.change': {
    as: 'member',
    rest: '/auth/password',
    make: () => ({
      input: { currentPassword: SCENE_PASSWORD, newPassword: `another ${randomId()}`.slice(0, 60) },
    }),
  },
  'verification.prove': {
    as: 'member',
    make: () => ({ input: { password: SCENE_PASSWORD } }),
  },
  'partner.consent': {
    as: 'member',
    rest: '/auth/partners/consent',
    make: ({ partner }) => ({ input: { partnerId: partner.id } }),
  },
  'session.end': { as: 'member', rest: '/auth/logout', make: () => ({ input: {} }) },
  'session.endMany': {
    as: 'member',
    rest: '/auth/sessions/end',
    make: () => ({ input: { others: true } }),
  },
  'session.issueAuthToken': { as: 'staff', rest: '/auth/apiToken', make: () => ({ input: {} }) },
  'registration.resendConfirmation': {
    as: 'member',
    rest: '/auth/resendConfirmation',
    make: () => ({ input: {} }),
  },
  'social.connect': {
    as: 'member',
    rest: '/auth/connections/start',
    make: () => ({ input: { provider: 'google' } }),
  },
  'social.finish': {
    as: 'member',
    rest: '/auth/connections/finish',
    make: async (scene) => ({ input: { code: await heldIdentity(scene) } }),
  },
  'social.remove': {
    as: 'member',
    rest: '/auth/connections/remove',
    make: async (scene) => {
      const identity = newIdentity();
      const { providerUserId } = identity.profile;
      const nowMs = Date.now();
      const connectionId = await insertConnection(scene.db, {
        ...connectionContent({ cipher: scene.service.services.cipher, nowMs }, identity),
        memberId: scene.caller.id,
        providerId: identity.providerId,
        providerUserId,
        nowMs,
      });
      return { input: { connectionId } };
    },
  },
};

/** A provider's profile of a person who is not a member. */
function newIdentity(): ProvenIdentity {
  return {
    providerId: 5,
    profile: {
      providerUserId: randomId(),
      email: null,
      emailVerified: false,
      displayName: null,
      firstName: null,
      lastName: null,
      username: null,
      pictureUrl: null,
      accounts: {},
    },
    tokens: { accessToken: 'access', refreshToken: null, expiresInSeconds: null, scopes: null },
  };
}

/** The code with which the caller's session can connect a returned profile. */
async function heldIdentity({ db, service, caller }: AccessScene): Promise<string> {
  const { code, stateKey } = newCode();
  const nowMs = Date.now();
  const identity = newIdentity();
  await insertSocialState(db, {
    stateKey,
    purpose: 'finish',
    providerId: identity.providerId,
    memberId: caller.id,
    sessionTokenKey: caller.tokenKey,
    payload: sealIdentity(service.services.cipher, stateKey, identity),
    nowMs,
    expiresAtMs: nowMs + 600_000,
  });
  return code;
}
