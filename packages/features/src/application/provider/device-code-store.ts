import { createHmac } from 'node:crypto';
import { sha256Hex } from '@gatehouse/auth-core';
import {
  consumeDeviceCode,
  type DeviceCodeRow,
  decideDevice,
  findDeviceCode,
  findUndecidedDevice,
  insertDeviceCode,
} from '@gatehouse/db/queries/device-codes';
import type { Adapter, AdapterPayload, errors } from 'oidc-provider';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { payloadContext } from '../../core/guard/stored-grants.js';

type StoreServices = Pick<Services, 'cipher' | 'config' | 'db' | 'now'>;

const facts = z.looseObject({});

const contextOf = (digest: string) => payloadContext({ model: 'DeviceCode', digest });

/** A code that a person enters is short, so that a copy of the table must not be enough to try all of them. */
function userCodeDigest({ config }: Pick<Services, 'config'>, userCode: string): string {
  return createHmac('sha256', config.SESSION_SECRET).update(`oauth-user-code:${userCode}`).digest('hex');
}

/**
 * What `oidc-provider` stores of devices that wait for approval (RFC 8628): found by the SHA-256 of the code that the device
 * sends and, until a person has decided, by the code that a person enters, so that it is decided once.
 */
export function createDeviceCodeStore(
  services: StoreServices,
  { InvalidGrant, SessionNotFound }: Pick<typeof errors, 'InvalidGrant' | 'SessionNotFound'>,
): Adapter {
  const { cipher, db, now } = services;
  function payloadOf({ digest, payload, consumedAtMs }: DeviceCodeRow): AdapterPayload {
    const stored = facts.parse(JSON.parse(cipher.open(payload, contextOf(digest))));
    return consumedAtMs === null ? stored : { ...stored, consumed: Math.floor(consumedAtMs / 1000) };
  }
  return {
    async find(id) {
      const row = await findDeviceCode(db, sha256Hex(id));
      return row && { ...payloadOf(row), jti: id };
    },
    async findByUserCode(userCode) {
      const row = await findUndecidedDevice(db, userCodeDigest(services, userCode));
      // The page that decides does not know another code of the device.
      return row && row.expiresAtMs > now() ? payloadOf(row) : undefined;
    },
    async upsert(id, payload, expiresInSeconds = 0) {
      const { userCode = '', accountId, error, grantId } = payload;
      const digest = sha256Hex(id);
      const row = {
        digest,
        userCodeDigest: userCodeDigest(services, userCode),
        payload: cipher.seal(JSON.stringify(payload), contextOf(digest)),
      };
      if (accountId === undefined && error === undefined) {
        const times = { createdAtMs: now(), expiresAtMs: now() + expiresInSeconds * 1000 };
        if (!(await insertDeviceCode(db, { ...row, ...times })))
          throw new Error('The code of a device was there already');
        return;
      }
      const decided = {
        ...row,
        grantDigest: grantId === undefined ? null : sha256Hex(grantId),
        memberId: accountId === undefined ? null : Number(accountId),
      };
      if (!(await decideDevice(db, decided))) throw new SessionNotFound('it was decided before');
    },
    async consume(id) {
      if (!(await consumeDeviceCode(db, sha256Hex(id), now())))
        throw new InvalidGrant('it was exchanged before');
    },
    // It ends only when its time is up, and what comes from it ends with the grant.
    destroy: () => Promise.resolve(),
    revokeByGrantId: () => Promise.resolve(),
    findByUid: () => Promise.resolve(undefined),
  };
}
