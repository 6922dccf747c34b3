import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import {
  consumeOauthArtifact,
  endGrant,
  findOauthArtifact,
  insertOauthArtifact,
  listStaleArtifacts,
  type OauthArtifact,
  removeArtifactsOfGrant,
  removeOauthArtifact,
  setArtifactPayload,
  setOauthArtifact,
} from '@gatehouse/db/queries/oauth-artifacts';
import type { OauthModel } from '@gatehouse/db/tables/oauth-tables';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type * as library from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { clientHost } from '../../core/guard/client-host.js';
import { grantFacts, standingScopes } from '../../core/guard/grant-standing.js';
import { openPayload, payloadContext, storedGrants } from '../../core/guard/stored-grants.js';
import { toApplication } from './client-document.js';
import { findClientMetadata, toSignInMetadata } from './client-metadata.js';
import { createDeviceCodeStore } from './device-code-store.js';
import { createRequestReads } from './request-reads.js';

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

/** What has another form is not looked up. */
const FORMS: { readonly [Model in OauthModel]?: Parameters<typeof isOpaqueToken>[0] } = {
  AccessToken: 'accessToken',
  ClientCredentials: 'accessToken',
  RefreshToken: 'refreshToken',
};

/** What a node keeps in memory, by its member or machine. */
const KEPT: ReadonlySet<OauthModel> = new Set(['AccessToken', 'ClientCredentials', 'Grant']);

/** What the token of a machine says of it. */
const machineFacts = z.object({ extra: z.object({ sub: z.string() }) });

/** The refusals of what was exchanged or decided before, and the request that is being answered. */
type Library = Pick<typeof library, 'Provider' | 'errors'>;

/**
 * What `oidc-provider` stores, in one table: by the SHA-256 of each id, with an encrypted payload that does not have the id. A
 * code, a token and a grant are found only while the grant is valid, so that what has ended is refused from the next request on.
 */
export function createArtifactStore(services: Services, made: Library) {
  const { InvalidClient, InvalidClientAuth, InvalidGrant, SessionNotFound } = made.errors;
  const { cipher, db, now } = services;
  const grants = storedGrants(services);
  const reads = createRequestReads(services, made);

  function payloadOf(row: OauthArtifact): AdapterPayload {
    const facts = openPayload(services, row);
    const { model, consumedAtMs } = row;
    if (consumedAtMs === null || isRepeatable(model, consumedAtMs)) return facts;
    return { ...facts, consumed: Math.floor(consumedAtMs / 1000) };
  }

  const isRepeatable = (model: OauthModel, consumedAtMs: number) =>
    model === 'RefreshToken' && now() < consumedAtMs + REPEATS_MS;

  /** A token or a grant ends in a change of its member, so that every node reads it again. */
  async function end(
    { memberId }: Pick<OauthArtifact, 'memberId'>,
    body: (tx: AccessTransaction) => Promise<void>,
  ): Promise<void> {
    await changeAccess(db, { members: memberId === null ? [] : [memberId] }, body);
  }

  /** An application as its document describes it now. Its earlier requests depend on what somebody agreed to then. */
  async function findDocumentMetadata(id: string): Promise<AdapterPayload | undefined> {
    const answer = await reads.clientDocument(id);
    if ('problem' in answer) throw new InvalidClient(answer.problem);
    return toSignInMetadata(services, toApplication(services, { clientId: id, ...answer.document }));
  }

  async function revokeGrant(grantDigest: string): Promise<void> {
    const row = await findOauthArtifact(db, { model: 'Grant', digest: grantDigest });
    if (row === undefined) return;
    await end(row, async (tx) => void (await endGrant(tx, { grantDigest, nowMs: now() })));
  }

  return (name: string): Adapter => {
    if (name === 'Client')
      return onlyFinds(async (id) => {
        await reads.current();
        const isDocument = clientHost(id) !== undefined;
        if (isDocument && reads.begins()) return findDocumentMetadata(id);
        const metadata = await findClientMetadata(services, id);
        // A key that its document does not name anymore proves nothing.
        const hasKeys = metadata?.token_endpoint_auth_method === 'private_key_jwt';
        return isDocument && hasKeys && reads.authenticates() ? findDocumentMetadata(id) : metadata;
      });
    if (name === 'DeviceCode') return createDeviceCodeStore(services, { InvalidGrant, SessionNotFound });
    if (!isStored(name)) return onlyFinds(() => Promise.resolve(undefined));
    const model = name;
    const form = FORMS[model];
    const keyOf = (id: string) => ({ model, digest: sha256Hex(id) });

    /** An access token or a grant, from memory where this node knows it. That of a machine comes from no grant. */
    async function findKept(id: string): Promise<AdapterPayload | undefined> {
      await reads.current();
      const found = await grants.find(keyOf(id));
      if (found === undefined) return undefined;
      const grantDigest = model === 'Grant' ? found.row.digest : found.row.grantDigest;
      if (grantDigest === null) return { ...found.facts, jti: id };
      const grant = await reads.standingGrant(grantDigest);
      if (grant === undefined) return undefined;
      const { scope } = found.facts;
      const scopes = typeof scope === 'string' ? standingScopes(grant, scope.split(' ')) : [];
      return { ...found.facts, scope: scopes.join(' ') || undefined, jti: id };
    }

    async function findOther(id: string): Promise<AdapterPayload | undefined> {
      const row = await findOauthArtifact(db, keyOf(id));
      if (row === undefined) return undefined;
      if (row.grantDigest !== null) {
        await reads.current();
        if ((await reads.standingGrant(row.grantDigest)) === undefined) return undefined;
      }
      return { ...payloadOf(row), jti: id };
    }

    const findStored = KEPT.has(model) ? findKept : findOther;
    const find = (id: string) =>
      form === undefined || isOpaqueToken(form, id) ? findStored(id) : Promise.resolve(undefined);
    return {
      find,
      async upsert(id, given, expiresInSeconds = 0) {
        const { digest } = keyOf(id);
        const payload = { ...given };
        delete payload.jti;
        const facts = grantFacts.partial().safeParse(payload).data ?? {};
        const machine = machineFacts.safeParse(payload).data?.extra.sub;
        const member = facts.memberId ?? Number(payload.accountId ?? machine);
        const row = {
          model,
          digest,
          grantDigest:
            payload.grantId === undefined || model === 'Interaction' ? null : sha256Hex(payload.grantId),
          memberId: Number.isSafeInteger(member) ? member : null,
          consentId: facts.consentId ?? null,
          payload: cipher.seal(JSON.stringify(payload), payloadContext({ model, digest })),
          createdAtMs: now(),
          expiresAtMs: now() + expiresInSeconds * 1000,
        };
        const isNew = await insertOauthArtifact(db, row);
        // Another request has used the assertion in between.
        if (!isNew && model === 'ReplayDetection') throw new InvalidClientAuth('it was sent before');
        // The successor of a refresh token that was sent twice already exists.
        if (!isNew && model !== 'RefreshToken') await end(row, (tx) => setOauthArtifact(tx, row));
        if (row.memberId !== null && KEPT.has(model)) grants.note(row, row.memberId);
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
        const key = keyOf(id);
        if (model === 'Grant') return revokeGrant(key.digest);
        if (model === 'AccessToken' || model === 'ClientCredentials') {
          const row = await findOauthArtifact(db, key);
          if (row !== undefined) await end(row, async (tx) => void (await removeOauthArtifact(tx, key)));
          return;
        }
        const isGone = !(await removeOauthArtifact(db, key));
        // One consent gives one code.
        if (isGone && model === 'Interaction') throw new SessionNotFound('it was decided before');
      },
      // A session has one id, in its cookie and in tokens.
      findByUid: find,
      findByUserCode: () => Promise.resolve(undefined),
      async revokeByGrantId(grantId) {
        const grantDigest = sha256Hex(grantId);
        const row = await findOauthArtifact(db, { model: 'Grant', digest: grantDigest });
        if (row !== undefined) await end(row, (tx) => removeArtifactsOfGrant(tx, { model, grantDigest }));
      },
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
        const payload = cipher.seal(cipher.open(before, payloadContext(row)), payloadContext(row));
        await setArtifactPayload(db, { id, before, payload });
        afterId = id;
      }
      resealed += rows.length;
      if (rows.length < RESEALED_AT_ONCE) return resealed;
    }
  },
};
