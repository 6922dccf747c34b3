import { type DataCipher, hashPassword, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertEndpoint, setEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { insertApiKey, insertMachine } from '@gatehouse/db/queries/machines';
import { DEMONSTRATION_ENDPOINT, seedDemonstration } from '@gatehouse/db/queries/seed-demonstration';
import {
  DEMONSTRATION_API_KEY,
  DEMONSTRATION_EVENT_SECRET,
  DEMONSTRATION_PARTNER_SECRET,
  DEMONSTRATION_PASSWORD,
} from '@gatehouse/runtime/config/secrets';
import { scopeOf } from '../endpoint/endpoint-scope.js';
import { sealEndpointSecret } from '../endpoint/endpoint-secrets.js';
import { EVENT_TYPE_NAMES, isOfDeployment } from '../event/event-types.js';
import { nobody } from '../machine/change-machines.js';
import { partnerSecretContext } from '../partner/rotate-partner-secret.js';

export interface SeedDemoOptions {
  readonly cipher: DataCipher;
  readonly nowMs: number;
  readonly partnerUrl?: string;
  /** The bcrypt hash of the demonstration's password; computed by default. */
  readonly passwordHash?: string;
}

/** Writes the demonstration data into an empty database. False when it is not empty. */
export async function seedDemo(db: Database, options: SeedDemoOptions): Promise<boolean> {
  return seedDemonstration(db, {
    passwordHash: options.passwordHash ?? (await hashPassword(DEMONSTRATION_PASSWORD)),
    legacyPassword: DEMONSTRATION_PASSWORD,
    partnerSecret: options.cipher.seal(DEMONSTRATION_PARTNER_SECRET, partnerSecretContext('acme-partner')),
    partnerUrl: options.partnerUrl,
    nowMs: options.nowMs,
  });
}

/** The account of the demonstration that has programs, and its owner. */
const ACME = { accountId: 1, ownerId: 3 };

const KEY_LIFE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Adds the programs of the demonstration: a machine with a key that reads its account, and an endpoint that gets all events of that
 * account. Their secrets are public in the documents.
 */
export async function seedDemoPrograms(
  db: Database,
  { cipher, nowMs, endpointUrl }: { cipher: DataCipher; nowMs: number; endpointUrl: string },
): Promise<void> {
  const { accountId, ownerId } = ACME;
  await changeAccess(db, { accounts: [accountId] }, async (tx) => {
    const machineId = await insertMachine(tx, {
      name: 'Nightly report',
      roleType: 2,
      customRoleId: null,
      accountId,
      createdById: ownerId,
      ...nobody(),
      nowMs,
    });
    await insertApiKey(tx, {
      machineId,
      name: 'Demonstration',
      start: DEMONSTRATION_API_KEY.slice(0, 12),
      digest: sha256Hex(DEMONSTRATION_API_KEY),
      scopes: ['account.read', 'member.list', 'event.read'],
      addresses: [],
      perMinute: 600,
      createdById: ownerId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + KEY_LIFE_MS,
      noticeAtMs: null,
    });
    const ofAccounts = EVENT_TYPE_NAMES.filter((name) => !isOfDeployment(name));
    const endpoint = {
      ...scopeOf(accountId),
      url: endpointUrl,
      types: [...new Set(ofAccounts.map((name) => `${name.split('.')[0]}.*`))],
      description: DEMONSTRATION_ENDPOINT,
      active: true,
      level: 1,
      savedById: ownerId,
      position: 0,
    };
    const id = await insertEndpoint(tx, endpoint, nowMs);
    const secret = sealEndpointSecret({ cipher }, id, DEMONSTRATION_EVENT_SECRET);
    await setEndpoint(tx, id, { secret, state: 'live' });
  });
}
