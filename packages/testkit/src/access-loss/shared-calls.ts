import {
  generateTotpSecret,
  randomId,
  randomToken,
  sha256Hex,
  totpCode,
  totpStep,
} from '@gatehouse/auth-core';
import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertConnection } from '@gatehouse/db/queries/change-connections';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { findTokenState } from '@gatehouse/db/queries/find-token-state';
import { insertPasskey, listPasskeys, setPasskeyUserId } from '@gatehouse/db/queries/member-passkeys';
import { confirmTotp, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import { insertSocialState } from '@gatehouse/db/queries/social-states';
import { addScope, toFlowData } from '@gatehouse/features/authentication/passkey/enrol-passkey';
import { sealTotpSecret } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { sessionKey } from '@gatehouse/features/core/guard/caller';
import { requireRelyingParty } from '@gatehouse/features/core/guard/level';
import { beginFlow } from '@gatehouse/features/core/guard/one-use-flow';
import type { ProvenIdentity } from '@gatehouse/features/social/proven-identity';
import { connectionContent, sealIdentity } from '@gatehouse/features/social/proven-identity';
import { newCode } from '@gatehouse/features/social/social-flow-cookie';
import { createAuthenticator } from '../create-authenticator.js';
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
  'accountPolicy.set': {
    as: 'owner',
    make: async ({ db, accountId }) => {
      // A future level, which refuses nobody yet and which the call undoes.
      const nowMs = Date.now();
      const policy = { requiredLevel: 2, requiredFromMs: nowMs + 86_400_000, requiredUntilThen: 1 };
      await changeAccess(db, { accounts: [accountId] }, (tx) =>
        setAccountPolicy(tx, { accountId, nowMs, ...policy }),
      );
      return { input: { level: 1 } };
    },
  },
  'verification.sendEmail': { as: 'member', make: () => ({ input: {} }) },
  'factor.newBackupCodes': {
    as: 'member',
    make: async (scene) => {
      await addTotp(scene);
      return { input: {} };
    },
  },
  'factor.switch': { as: 'member', make: () => ({ input: { secondFactor: false, email: false } }) },
  'totp.start': { as: 'member', make: () => ({ input: {} }) },
  'totp.confirm': {
    as: 'member',
    make: async (scene) => {
      const { secret } = await beginTotp(scene);
      return { input: { code: totpCode(secret, totpStep(Date.now())) } };
    },
  },
  'totp.remove': {
    as: 'member',
    make: async (scene) => {
      await addTotp(scene);
      return { input: {} };
    },
  },
  'passkey.addOptions': { as: 'member', make: () => ({ input: {} }) },
  'passkey.add': {
    as: 'member',
    make: async (scene) => {
      const { flow, passkey } = await beginPasskey(scene);
      return { input: { flow, response: passkey.registration } };
    },
  },
  'passkey.rename': {
    as: 'member',
    make: async (scene) => ({ input: { passkeyId: await addPasskey(scene), name: 'Another name' } }),
  },
  'passkey.remove': {
    as: 'member',
    make: async (scene) => ({ input: { passkeyId: await addPasskey(scene) } }),
  },
  'partner.consent': {
    as: 'member',
    rest: '/auth/partners/consent',
    make: ({ partner }) => ({ input: { partnerId: partner.id } }),
  },
  'partner.endLink': {
    as: 'member',
    make: ({ partner }) => ({ input: { partnerId: partner.id } }),
  },
  'session.end': { as: 'member', rest: '/auth/logout', make: () => ({ input: {} }) },
  'session.endMany': {
    as: 'member',
    rest: '/auth/sessions/end',
    make: () => ({ input: { others: true } }),
  },
  'session.refresh': { as: 'member', isAged: true, make: () => ({ input: {} }) },
  'session.rename': {
    as: 'member',
    make: async ({ db, caller }) => {
      const { session } = await findTokenState(db, caller.tokenKey);
      return { input: { sessionId: session?.id ?? 1, name: `Device ${randomId(4)}` } };
    },
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

/** A secret of the caller that awaits its first code. */
async function beginTotp({ db, service, caller }: AccessScene) {
  const secret = generateTotpSecret();
  const sealed = sealTotpSecret(service.services, caller.id, secret);
  const nowMs = Date.now();
  await changeAccess(db, { members: [caller.id] }, async (tx) => {
    await proveOwner(tx, { memberId: caller.id, expectedPassword: undefined, nowMs });
    await setPendingTotp(tx, { memberId: caller.id, secret: sealed, nowMs });
  });
  return { secret, sealed };
}

/** An authenticator app of the caller, whose sign-ins take one step. */
async function addTotp(scene: AccessScene): Promise<void> {
  const { sealed } = await beginTotp(scene);
  const memberId = scene.caller.id;
  await changeAccess(scene.db, { members: [memberId] }, (tx) =>
    confirmTotp(tx, { memberId, secret: sealed, step: 0, nowMs: Date.now() }),
  );
}

/** A passkey that the caller's browser has just made. */
async function beginPasskey({ db, service, caller }: AccessScene) {
  const { services } = service;
  const party = requireRelyingParty(services);
  const nowMs = Date.now();
  await changeAccess(db, { members: [caller.id] }, (tx) =>
    proveOwner(tx, { memberId: caller.id, expectedPassword: undefined, nowMs }),
  );
  const user = { id: randomToken() };
  const data = toFlowData({ userId: user.id, isAuto: false });
  const { flow, id: challenge } = beginFlow(services, addScope({ memberId: caller.id }), data);
  const device = createAuthenticator({ origin: party.origins[0] ?? '' });
  return { flow, user, passkey: device.create({ challenge, rp: party, user }), party, nowMs };
}

/** A passkey of the caller. Returns its id. */
async function addPasskey(scene: AccessScene): Promise<number> {
  const { user, passkey, party, nowMs } = await beginPasskey(scene);
  const memberId = scene.caller.id;
  await changeAccess(scene.db, { members: [memberId] }, async (tx) => {
    await setPasskeyUserId(tx, { memberId, passkeyUserId: user.id });
    await insertPasskey(tx, {
      memberId,
      credentialKey: sha256Hex(passkey.id),
      credentialId: passkey.id,
      publicKey: '',
      rpId: party.id,
      counter: 0,
      userHandle: null,
      backupEligible: false,
      backedUp: false,
      transports: '',
      name: 'A passkey',
      createdAtMs: nowMs,
      lastUsedAtMs: null,
    });
  });
  const [added] = await listPasskeys(scene.db, memberId);
  return added?.id ?? 0;
}

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
  const { session } = await findTokenState(db, caller.tokenKey);
  const nowMs = Date.now();
  const identity = newIdentity();
  await insertSocialState(db, {
    stateKey,
    purpose: 'finish',
    providerId: identity.providerId,
    memberId: caller.id,
    sessionTokenKey: sessionKey({ familyId: session?.id, tokenKey: caller.tokenKey }),
    payload: sealIdentity(service.services.cipher, stateKey, identity),
    nowMs,
    expiresAtMs: nowMs + 600_000,
  });
  return code;
}
