import { randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { insertApplication, insertApplicationSecret } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { saveConsent } from '@gatehouse/db/queries/consents';

/** What a member lets an application of the deployment do. */
export async function insertTestConsent(
  db: Database,
  {
    memberId,
    accountId = null,
    resourceId = null,
    scopes = ['openid'],
  }: {
    readonly memberId: number;
    readonly accountId?: number | null;
    readonly resourceId?: number | null;
    readonly scopes?: string[];
  },
): Promise<number> {
  const { applicationId } = await insertTestApplication(db, { accountId: null, createdById: memberId });
  return changeAccess(db, {}, (tx) =>
    saveConsent(tx, {
      memberId,
      applicationId,
      accountId,
      resourceId,
      scopes,
      asked: scopes,
      nowMs: Date.now(),
    }),
  );
}

/** An application of an account, or of the deployment, with one secret. */
export function insertTestApplication(
  db: Database,
  {
    accountId,
    createdById,
    type = 'web',
    scopes = ['openid'],
  }: {
    accountId: number | null;
    createdById: number;
    type?: 'web' | 'device';
    scopes?: readonly string[];
  },
): Promise<{ readonly applicationId: number; readonly secretId: number }> {
  const nowMs = Date.now();
  return changeAccess(db, {}, async (tx) => {
    const applicationId = await insertApplication(tx, {
      clientId: randomId(),
      accountId,
      createdById,
      name: 'Wiki',
      type,
      redirectUris: type === 'web' ? ['https://wiki.example.com/callback'] : [],
      postLogoutRedirectUris: [],
      backchannelLogoutUri: null,
      jwks: null,
      jwksUri: null,
      scopes: [...scopes],
      resources: [],
      subjectType: 'public',
      active: true,
      machineId: null,
      skipConsent: false,
      pkceExempt: false,
      nowMs,
    });
    const secretId = await insertApplicationSecret(tx, {
      applicationId,
      start: 'gthc_0000000',
      digest: sha256Hex(randomId()),
      createdById,
      createdAtMs: nowMs,
    });
    return { applicationId, secretId };
  });
}
