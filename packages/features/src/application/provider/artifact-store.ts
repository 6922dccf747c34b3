import { sha256Hex } from '@gatehouse/auth-core';
import {
  consumeOauthArtifact,
  findOauthArtifact,
  insertOauthArtifact,
  listStaleArtifacts,
  type OauthArtifact,
  removeArtifactsOfGrant,
  removeOauthArtifact,
  saveOauthArtifact,
  setArtifactPayload,
} from '@gatehouse/db/queries/oauth-artifacts';
import type { OauthModel } from '@gatehouse/db/tables/oauth-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Adapter, AdapterPayload, errors } from 'oidc-provider';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { findClientMetadata } from './client-metadata.js';
import { grantFacts, isStanding } from './grant-standing.js';

/** How long a refresh token may be sent again: a browser's tabs refresh at the same time, and answers get lost. */
const REPEATS_MS = 10_000;

const MODELS: ReadonlySet<string> = new Set<OauthModel>([
  'AccessToken',
  'AuthorizationCode',
  'ClientCredentials',
  'Grant',
  'Interaction',
  'PushedAuthorizationRequest',
  'RefreshToken',
  'ReplayDetection',
  'Session',
]);

function isStored(name: string): name is OauthModel {
  return MODELS.has(name);
}

const payloads = z.looseObject({});

const contextOf = ({ model, digest }: Pick<OauthArtifact, 'model' | 'digest'>) => `oauth:${model}:${digest}`;

/** The refusals of what was exchanged or decided before. */
type Errors = Pick<typeof errors, 'InvalidGrant' | 'SessionNotFound'>;

/**
 * What `oidc-provider` stores, in one table: by the SHA-256 of each id, with an encrypted payload that does not have the id. A code, a
 * token and a grant are found only while the grant stands, so that nothing that has ended opens anything from the next request on.
 */
export function createArtifactStore(services: Services, { InvalidGrant, SessionNotFound }: Errors) {
  const { cipher, db, now } = services;
  function payloadOf({ model, digest, payload, consumedAtMs }: OauthArtifact): AdapterPayload {
    const facts = payloads.parse(JSON.parse(cipher.open(payload, contextOf({ model, digest }))));
    if (consumedAtMs === null || isRepeatable(model, consumedAtMs)) return facts;
    return { ...facts, consumed: Math.floor(consumedAtMs / 1000) };
  }

  const isRepeatable = (model: OauthModel, consumedAtMs: number) =>
    model === 'RefreshToken' && now() < consumedAtMs + REPEATS_MS;

  async function stands(grantDigest: string): Promise<boolean> {
    const grant = await findOauthArtifact(db, { model: 'Grant', digest: grantDigest });
    // One that was revoked stays, so that nothing that comes from it counts again.
    if (grant?.consumedAtMs !== null) return false;
    const facts = grantFacts.safeParse(payloadOf(grant)).data;
    return facts !== undefined && (await isStanding(services, facts));
  }

  async function revokeGrant(grantDigest: string): Promise<void> {
    await consumeOauthArtifact(db, { model: 'Grant', digest: grantDigest, nowMs: now() });
    for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode'] as const)
      await removeArtifactsOfGrant(db, { model, grantDigest });
  }

  return (name: string): Adapter => {
    if (name === 'Client') return onlyFinds((id) => findClientMetadata(services, id));
    if (!isStored(name)) return onlyFinds(() => Promise.resolve(undefined));
    const model = name;
    const keyOf = (id: string) => ({ model, digest: sha256Hex(id) });
    async function find(id: string): Promise<AdapterPayload | undefined> {
      const row = await findOauthArtifact(db, keyOf(id));
      if (row === undefined) return undefined;
      const grantDigest = model === 'Grant' ? row.digest : row.grantDigest;
      if (grantDigest !== null && !(await stands(grantDigest))) return undefined;
      return { ...payloadOf(row), jti: id };
    }
    return {
      find,
      async upsert(id, given, expiresInSeconds = 0) {
        const { digest } = keyOf(id);
        const payload = { ...given };
        delete payload.jti;
        const facts = grantFacts.partial().safeParse(payload).data ?? {};
        const member = facts.memberId ?? Number(payload.accountId);
        const row = {
          model,
          digest,
          grantDigest:
            payload.grantId === undefined || model === 'Interaction' ? null : sha256Hex(payload.grantId),
          memberId: Number.isSafeInteger(member) ? member : null,
          consentId: facts.consentId ?? null,
          payload: cipher.seal(JSON.stringify(payload), contextOf({ model, digest })),
          createdAtMs: now(),
          expiresAtMs: now() + expiresInSeconds * 1000,
        };
        // The successor of a refresh token that was sent twice is there already.
        await (model === 'RefreshToken' ? insertOauthArtifact(db, row) : saveOauthArtifact(db, row));
      },
      async consume(id) {
        const key = keyOf(id);
        if (await consumeOauthArtifact(db, { ...key, nowMs: now() })) return;
        const row = await findOauthArtifact(db, key);
        if (row?.consumedAtMs && isRepeatable(model, row.consumedAtMs)) return;
        if (row?.grantDigest) await revokeGrant(row.grantDigest);
        throw new InvalidGrant('it was exchanged before');
      },
      async destroy(id) {
        if (model === 'Grant') return void (await consumeOauthArtifact(db, { ...keyOf(id), nowMs: now() }));
        const isGone = !(await removeOauthArtifact(db, keyOf(id)));
        // What a person agreed to gives one code.
        if (isGone && model === 'Interaction') throw new SessionNotFound('it was decided before');
      },
      // A session has one id, in its cookie and in tokens.
      findByUid: find,
      findByUserCode: () => Promise.resolve(undefined),
      revokeByGrantId: (grantId) => removeArtifactsOfGrant(db, { model, grantDigest: sha256Hex(grantId) }),
    };
  };
}

function onlyFinds(find: (id: string) => Promise<AdapterPayload | undefined>): Adapter {
  const refuse = () => Promise.reject(new Error('The provider must not store this'));
  return {
    find,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
    revokeByGrantId: () => Promise.resolve(),
  };
}

const RESEALED_AT_ONCE = 500;

/** While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts what the provider stores with it, so that it can be removed. */
export const oauthResealing: Job<Services> = {
  name: 'oauth-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, cipher, config }) {
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const { currentPrefix } = cipher;
    let resealed = 0;
    for (let afterId = 0; ; ) {
      const rows = await listStaleArtifacts(db, { afterId, currentPrefix, limit: RESEALED_AT_ONCE });
      for (const row of rows) {
        const { id, payload: before } = row;
        const payload = cipher.seal(cipher.open(before, contextOf(row)), contextOf(row));
        await setArtifactPayload(db, { id, before, payload });
        afterId = id;
      }
      resealed += rows.length;
      if (rows.length < RESEALED_AT_ONCE) return resealed;
    }
  },
};
