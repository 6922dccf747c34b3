import { createHash } from 'node:crypto';
import { toBase32 } from '@gatehouse/auth-core';
import { SOCIAL_PROVIDER_KEYS } from '@gatehouse/features/core/social-providers/social-providers';
import { z } from 'zod';
import { CommandError } from '../command-error.js';
import { faultIn } from './fault-in.js';
import type {
  ForeignFiles,
  ForeignLine,
  ForeignOptions,
  ForeignPasskey,
  ForeignReader,
} from './foreign-line.js';
import { knownIdentities } from './known-identities.js';
import { knownPasskey, UNKNOWN_PASSKEYS } from './known-passkey.js';
import { openXchacha } from './open-xchacha.js';
import { readOrganizations } from './read-organizations.js';

/** It names providers as we do. */
const PROVIDERS = Object.fromEntries(SOCIAL_PROVIDER_KEYS.map((key) => [key, key]));

const text = z.string().min(1).optional().catch(undefined);
const id = z.union([z.string().min(1), z.int().transform(String)]);

/** A flag as the databases that Better Auth works with give it. */
const known = z.union([z.boolean(), z.literal([0, 1]).transform((value) => value === 1)]);
const flag = known.optional().catch(undefined);

/** A time. Databases leave out the zone, which is UTC. */
const time = z.union([z.int().nonnegative(), z.string().transform((value) => isoOf(value))]);
const instant = time.optional().catch(undefined);

const user = z.object({
  id,
  name: text,
  email: text,
  emailVerified: flag,
  username: text,
  createdAt: instant,
  banned: known.nullish(),
  banExpires: time
    .transform((value) => new Date(value).getTime())
    .pipe(z.int())
    .nullish(),
  /** False if the person never entered the first code of their app, undefined if the column is not in the file. */
  twoFactorEnabled: known.nullish(),
});

const account = z.object({
  userId: id,
  providerId: z.string(),
  accountId: id,
  password: text,
});

/** An app that awaits its first code is not verified. Earlier versions have no such column. */
const twoFactor = z.object({ userId: id, secret: z.string().min(1), verified: flag });

const passkey = z.object({
  userId: id,
  name: text,
  publicKey: z.string(),
  credentialID: z.string(),
  counter: z.int().nonnegative().catch(0),
  deviceType: text,
  backedUp: flag,
  transports: text,
  createdAt: instant,
});

const organization = z.object({ id, name: z.string().min(1), createdAt: instant });

const member = z.object({ organizationId: id, userId: id, role: text });

/** Tables of Better Auth, a row on each line. */
export const betterAuth: ForeignReader = {
  files: {
    user: 'the table user, a row as a JSON object on each line',
    account: 'the table account, with the passwords and the providers',
    twoFactor: 'the table twoFactor, which needs BETTER_AUTH_SECRET',
    passkey: 'the table passkey, which needs PASSKEY_RP_ID or APP_URL',
    organization: 'the table organization',
    member: 'the table member',
  },
  roles: { owner: 'owner', admin: 'manager', member: 'userMember' },
  read: readTables,
};

async function* readTables(
  files: ForeignFiles,
  { owns, rpId, variable, nowMs }: ForeignOptions,
): AsyncGenerator<ForeignLine> {
  const secret = variable('BETTER_AUTH_SECRET');
  if (files.has('twoFactor') && secret === undefined)
    throw new CommandError(
      'The secrets of twoFactor are encrypted: set BETTER_AUTH_SECRET to the one there.',
    );
  if (files.has('passkey') && rpId === undefined)
    throw new CommandError(
      'Passkeys work at one domain only: set PASSKEY_RP_ID, or APP_URL, as the services have it.',
    );
  const ofUser = (value: unknown) => z.object({ userId: id }).safeParse(value).data?.userId;
  const accountsOf = files.has('account') ? await files.indexJsonLines('account', ofUser) : undefined;
  const factorsOf = files.has('twoFactor') ? await files.indexJsonLines('twoFactor', ofUser) : undefined;
  const passkeysOf = files.has('passkey') ? await files.indexJsonLines('passkey', ofUser) : undefined;
  for await (const { file, number, value, problem } of files.readJsonObjects('user')) {
    const { data: row, error } = user.safeParse(value);
    if (problem !== undefined || row === undefined) {
      yield { file, number, problem: problem ?? faultIn(error, 'id', 'is no user with an id') };
      continue;
    }
    const accounts = z.array(account).safeParse((await accountsOf?.(row.id)) ?? []);
    const factors = z.array(twoFactor).safeParse((await factorsOf?.(row.id)) ?? []);
    const isOn = row.twoFactorEnabled === undefined || row.twoFactorEnabled === true;
    if (accounts.data === undefined || (isOn && factors.data === undefined)) {
      const table = accounts.data === undefined ? 'account' : 'twoFactor';
      yield { file, number, problem: `has a row in ${table} that cannot be read` };
      continue;
    }
    const keys = (await passkeysOf?.(row.id)) ?? [];
    const passkeys = keys.flatMap((each) => passkeyOf(each, rpId ?? '') ?? []);
    const missing = keys.length - passkeys.length;
    const [factor] = isOn ? (factors.data ?? []).filter(({ verified }) => verified !== false) : [];
    const totp = factor === undefined ? undefined : openSecret(factor.secret, secret ?? '');
    if (factor !== undefined && totp === undefined)
      yield { file, number, problem: 'has a secret of twoFactor that BETTER_AUTH_SECRET does not open' };
    else
      yield { file, number, ...personIn(row, { accounts: accounts.data, totp, passkeys, missing, nowMs }) };
  }
  yield* readOrganizations(files, {
    owns,
    organizations: 'organization',
    members: 'member',
    toOrganization: (value) => organization.safeParse(value).data,
    toMembership(value) {
      const { data } = member.safeParse(value);
      return (
        data && {
          accountId: data.organizationId,
          personId: data.userId,
          roles: data.role?.split(',').map((role) => role.trim()) ?? [],
        }
      );
    },
  });
}

function personIn(
  row: z.output<typeof user>,
  {
    accounts,
    totp,
    passkeys,
    missing,
    nowMs,
  }: {
    accounts: readonly z.output<typeof account>[];
    totp: string | undefined;
    passkeys: readonly ForeignPasskey[];
    /** How many rows of passkeys are of another kind. */
    missing: number;
    nowMs: number;
  },
): Pick<ForeignLine, 'person' | 'notes'> {
  const { connections, notes } = knownIdentities(
    accounts
      .filter(({ providerId }) => providerId !== 'credential')
      .map(({ providerId, accountId }) => ({ provider: providerId, id: accountId })),
    PROVIDERS,
  );
  const { banned, banExpires, emailVerified, ...person } = row;
  return {
    person: {
      id: person.id,
      email: person.email,
      isConfirmed: emailVerified,
      username: person.username,
      name: person.name,
      password: accounts.find(({ providerId }) => providerId === 'credential')?.password,
      isDisabled: banned === true && (banExpires ?? Number.POSITIVE_INFINITY) > nowMs,
      createdAt: person.createdAt,
      connections,
      totp,
      passkeys,
    },
    notes: missing === 0 ? notes : [...notes, UNKNOWN_PASSKEYS],
  };
}

/** A passkey; undefined if it is stored in another way. Better Auth does not store the user id that browsers report. */
function passkeyOf(value: unknown, rpId: string): ForeignPasskey | undefined {
  const { data } = passkey.safeParse(value);
  return (
    data &&
    knownPasskey({
      id: data.credentialID,
      publicKey: data.publicKey,
      rpId,
      counter: data.counter,
      name: data.name,
      transports: data.transports?.split(','),
      backupEligible: data.deviceType === undefined ? undefined : data.deviceType === 'multiDevice',
      backedUp: data.backedUp,
      createdAt: data.createdAt,
    })
  );
}

/** The secret of an authenticator app in base32: Better Auth encrypts it with a digest of its own secret. */
function openSecret(stored: string, secret: string): string | undefined {
  // Since secrets have versions, the version number comes first.
  const sealed = stored.replace(/^\$ba\$\d+\$/, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(sealed)) return undefined;
  const opened = openXchacha(createHash('sha256').update(secret).digest(), Buffer.from(sealed, 'hex'));
  return opened === undefined ? undefined : toBase32(opened);
}

function isoOf(value: string): string {
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$/.test(value) ? `${value.replace(' ', 'T')}Z` : value;
}
