import {
  canonicalAddress,
  emailKey,
  foreignHash,
  isForeignAddress,
  isPasswordHash,
  isVisible,
  loginNameSchema,
  looksLikeDigest,
  mayBePlain,
  type Roles,
  readWeakDigest,
  searchKey,
  storableText,
  usernameKey,
  vouchedAddress,
  vouchedEmailSchema,
} from '@gatehouse/auth-core';
import { BILLING_PROVIDERS } from '@gatehouse/features/core/billing/billing-event';
import {
  findSocialProvider,
  SOCIAL_PROVIDER_KEYS,
} from '@gatehouse/features/core/social-providers/social-providers';
import {
  type NewPartner,
  newPartnerSchema,
  partnerExternalIdSchema,
  partnerSecretSchema,
} from '@gatehouse/features/partner/partner-schemas';
import { z } from 'zod';
import { TRANSPORTS } from './known-passkey.js';
import { readBase32 } from './read-base32.js';
import { readCoseKey } from './read-cose-key.js';

/** The length limit of the columns for normalised texts. */
const MAX_KEY_LENGTH = 640;

/** Leaves room above it for the ids that the database gives out next. */
const LARGEST_ID = 2 ** 47;

const id = z.int().positive().max(LARGEST_ID);

const flag = z.union([z.boolean(), z.literal([0, 1]).transform((value) => value === 1)]);

const instant = z.union([z.int().nonnegative(), z.iso.datetime({ offset: true }).transform(Date.parse)]);

const UNSEEN = 'must contain something visible';

const name = z.union([
  z.literal(''),
  withKey(storableText(255), searchKey).refine(isVisible, { message: UNSEEN }),
]);

/** The given address, or the login identifier if it is one. */
export function addressOf({ email, sid }: { email?: string | null | undefined; sid: string }): string | null {
  return email === undefined ? (vouchedAddress(sid) ?? null) : email;
}

const RESET = 'without a password, a reset by mail gives its owner a new one';

/** MD5, SHA-1 and SHA-2 in hexadecimal, or as LDAP writes them, with a salt too. */
const BARE_DIGEST =
  /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|\{S?(?:SHA|MD5)\d*\}.+)$/i;

function passwordProblem(text: string): string | undefined {
  if (isPasswordHash(text) || foreignHash(text) !== undefined) return undefined;
  // The operator says whether it is accepted.
  if (readWeakDigest(text)) return undefined;
  if (BARE_DIGEST.test(text))
    return `is a bare digest of a kind that is not taken, which is quick to guess; ${RESET}`;
  return `is no hash in a form that is taken, or its cost is out of bounds (docs/importing.md lists both); a password in plain text is called plainPassword; ${RESET}`;
}

/** A person, with the field names of the replaced system's interface. */
const member = z
  .strictObject({
    id,
    /** Kept in its canonical form if it is an address. */
    sid: withKey(loginNameSchema, emailKey)
      .refine((sid) => canonicalAddress(sid) === undefined || vouchedAddress(sid) !== undefined, {
        message: 'has the form of an e-mail address, but not the normal form of one',
      })
      .transform((sid) => vouchedAddress(sid) ?? sid),
    username: withKey(storableText(255), usernameKey),
    /** A hash, in one of the forms that `docs/importing.md` lists. Without one and without `plainPassword`, no password works. */
    password: z
      .string()
      .superRefine((text, context) => {
        const message = passwordProblem(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .nullish(),
    /** The password itself, declared not to be a hash of any kind. */
    plainPassword: z
      .string()
      .refine(mayBePlain, {
        message:
          'is no text of 1 to 72 bytes after normalization, or a bcrypt hash, which is called password',
      })
      .nullish(),
    role_type: z.int().nonnegative(),
    firstName: name.default(''),
    lastName: name.default(''),
    /** Defaults to the login identifier, if that is an address. */
    email: vouchedEmailSchema.nullish(),
    /** Whether the person has proved the address. */
    confirmed: flag.default(true),
    isPersonnel: flag.default(false),
    isDeleted: flag.default(false),
    /** Banned, with no end. */
    isBanned: flag.default(false),
    defaultPaymentId: z.int().nonnegative().default(2),
    createdAt: instant.optional(),
  })
  .refine(({ password, plainPassword }) => (password ?? null) === null || (plainPassword ?? null) === null, {
    path: ['plainPassword'],
    message: 'is given, and password too',
  })
  .refine((row) => !isForeignAddress(row.username, addressOf(row)), {
    path: ['username'],
    message: "holds an @, but is not the member's own address",
  });

const account = z.strictObject({
  id,
  name: withKey(storableText(255), searchKey).refine(isVisible, { message: UNSEEN }),
  ownerId: id,
  isDeleted: flag.default(false),
  createdAt: instant.optional(),
});

/** Only joining by an address sets it. */
const noKey = (): string | undefined => undefined;

/** The id of a member or an account in another system. */
const foreignId = z
  .strictObject({
    source: storableText(64),
    id: storableText(255),
    memberId: id.nullish(),
    accountId: id.nullish(),
  })
  .refine(({ memberId, accountId }) => (memberId ?? null) === null || (accountId ?? null) === null, {
    path: ['accountId'],
    message: 'is given, and memberId too',
  })
  .refine(({ memberId, accountId }) => (memberId ?? accountId ?? null) !== null, {
    path: ['memberId'],
    message: 'is missing, and accountId too',
  })
  .transform((row) => ({
    kind: (row.memberId ?? null) === null ? ('account' as const) : ('member' as const),
    source: row.source,
    foreignId: row.id,
    memberId: row.memberId ?? null,
    accountId: row.accountId ?? null,
    joinedBy: noKey(),
  }));

/** A provider by which a member signs in. */
const connection = z
  .strictObject({
    memberId: id,
    provider: z.string().refine((key) => findSocialProvider(key) !== undefined, {
      message: `is none of ${SOCIAL_PROVIDER_KEYS.join(', ')}`,
    }),
    /** The provider's id of the person. */
    id: storableText(255),
    email: storableText(320).nullish(),
    displayName: storableText(255).nullish(),
  })
  .transform((row) => ({
    memberId: row.memberId,
    providerId: findSocialProvider(row.provider)?.providerId ?? 0,
    providerUserId: row.id,
    email: row.email ?? null,
    displayName: row.displayName ?? null,
    joinedBy: noKey(),
  }));

const SHORTEST_SECRET = 10;

/** The authenticator app of a member: RFC 6238 with SHA-1, 6 digits and 30 seconds. */
const totp = z
  .strictObject({ memberId: id, secret: z.string() })
  .transform(({ memberId, secret }, context) => {
    const bytes = readBase32(secret);
    if (bytes !== undefined && bytes.length >= SHORTEST_SECRET) return { memberId, secret: bytes };
    const message = `is no base32 text of at least ${SHORTEST_SECRET} bytes`;
    context.addIssue({ code: 'custom', path: ['secret'], message });
    return z.NEVER;
  });

/** 64 bytes (WebAuthn Level 3, 5.4.3) in base64url. */
const userHandle = z.string().regex(/^[\w-]{1,86}$/, 'is no base64url text of at most 64 bytes');

/** A WebAuthn credential of a member. It works here if the domain stays. */
const passkey = z
  .strictObject({
    memberId: id,
    /** 1,023 bytes (WebAuthn Level 3, 5.1) in base64url. */
    id: z.string().regex(/^[\w-]{1,1364}$/, 'is no base64url text of at most 1,023 bytes'),
    publicKey: z.string().transform((text, context) => {
      const read = readCoseKey(text);
      if (read !== undefined) return read;
      context.addIssue({ code: 'custom', message: 'is no COSE key in base64url for ES256, EdDSA or RS256' });
      return z.NEVER;
    }),
    rpId: storableText(255),
    counter: z.int().nonnegative().max(0xff_ff_ff_ff).default(0),
    name: storableText(64).default('Passkey'),
    transports: z.array(z.enum(TRANSPORTS)).max(TRANSPORTS.length).default([]),
    /** The user id that it reports. If unknown, its first use reveals it. */
    userHandle: userHandle.nullish(),
    backupEligible: flag.nullish(),
    backedUp: flag.default(false),
    createdAt: instant.optional(),
    /** Whether every sign-in takes a second step from now on, which this passkey is. */
    isSecondStep: flag.default(false),
  })
  .transform((row) => ({
    ...row,
    userHandle: row.userHandle ?? null,
    backupEligible: row.backupEligible ?? null,
    transports: [...new Set(row.transports)].join(' '),
  }));

const membership = z.strictObject({
  memberId: id,
  accountId: id,
  roleType: z.int().nonnegative(),
  isDeleted: flag.default(false),
  active: flag.default(true),
});

const personnelAccess = z.strictObject({
  personnelId: id,
  accountId: id,
  isDeleted: flag.default(false),
  active: flag.default(true),
});

const subscription = z.strictObject({
  accountId: id,
  state: z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']),
  trialEndsAt: instant.nullish(),
  provider: z.enum(BILLING_PROVIDERS).nullish(),
  providerCustomerId: storableText(255).nullish(),
  providerSubscriptionId: storableText(255).nullish(),
});

/** Another service that signs on its own users. */
const partner = z
  .strictObject({
    name: newPartnerSchema.shape.name,
    appUrl: newPartnerSchema.shape.appUrl,
    /** What its systems send as partnerId, if that is not the name. */
    partnerId: z.union([z.int().nonnegative().transform(String), partnerExternalIdSchema]).nullish(),
    /** The one it has so far; one is generated without it. */
    secretKey: partnerSecretSchema.nullish(),
  })
  .transform(
    ({ name, appUrl, partnerId, secretKey }): NewPartner => ({
      name,
      appUrl,
      externalId: partnerId ?? undefined,
      secretKey: secretKey ?? undefined,
    }),
  );

/** A text whose normalised form is neither empty nor too long. */
function withKey(text: z.ZodString, toKey: (text: string) => string) {
  return text.refine((value) => toKey(value).length > 0 && toKey(value).length <= MAX_KEY_LENGTH, {
    message: 'cannot be compared with others: nothing or too much is left of it when it is normalised',
  });
}

const records = {
  member: member.transform((row) => ({ kind: 'member' as const, row })),
  account: account.transform((row) => ({ kind: 'account' as const, row })),
  connection: connection.transform((row) => ({ kind: 'connection' as const, row })),
  totp: totp.transform((row) => ({ kind: 'totp' as const, row })),
  passkey: passkey.transform((row) => ({ kind: 'passkey' as const, row })),
  foreignId: foreignId.transform((row) => ({ kind: 'foreignId' as const, row })),
  membership: membership.transform((row) => ({ kind: 'membership' as const, row })),
  personnelAccess: personnelAccess.transform((row) => ({ kind: 'personnelAccess' as const, row })),
  subscription: subscription.transform((row) => ({ kind: 'subscription' as const, row })),
  partner: partner.transform((row) => ({ kind: 'partner' as const, row })),
};

export type RecordKind = keyof typeof records;

/** One line of an import. */
export type ImportRecord = z.output<(typeof records)[RecordKind]>;

export type RowOf<Kind extends RecordKind> = Extract<ImportRecord, { kind: Kind }>['row'];

/** A line of an import: an object with one of these fields. */
export const RECORD_KINDS: readonly RecordKind[] = [
  'member',
  'account',
  'foreignId',
  'connection',
  'totp',
  'passkey',
  'membership',
  'personnelAccess',
  'subscription',
  'partner',
];

/** Reads the value of that field. */
function parseRecord(kind: RecordKind, value: unknown): z.ZodSafeParseResult<ImportRecord> {
  return records[kind].safeParse(value);
}

const object = z.record(z.string(), z.unknown());

const numbered = z.object({ id: z.int().positive() });

/** An invalid line. */
interface UnreadableRecord {
  readonly problem: string;
  /** The name other lines use for it, if it can be read. */
  readonly name?: string | undefined;
}

interface RecordChecks {
  /** Whether the operator has reviewed its password. */
  readonly isAccepted: boolean;
  /** Whether MD5, SHA-1 and SHA-256 are accepted, inside bcrypt. */
  readonly wrapsWeak?: boolean;
  /** Whether a text is a secret of this service. */
  isOurSecret(text: string): boolean;
}

/** The problem of a line whose plain password may be the hash of another system. */
const DIGEST =
  'member.plainPassword: looks like a hash, with which anybody who has seen it would sign in; ' +
  'if it is a password, give the number of the line in the file of --accept-lines';

const WEAK =
  'member.password: is a bare digest (MD5, SHA-1 or SHA-256), which is quick to guess; ' +
  `--wrap-weak takes it inside of bcrypt; ${RESET}`;

const OUR_SECRET = 'partner.secretKey: is a secret of this service; the partner needs one of its own';

/**
 * The content of a line, or its problem with the field names. Values are left out, because they may be
 * passwords.
 */
export function readRecord(
  line: string,
  roles: Roles,
  checks: RecordChecks,
): ImportRecord | UnreadableRecord {
  return readFields(object.safeParse(parseJson(line)).data ?? {}, roles, checks);
}

/** The same, of the object that such a line holds. */
export function readFields(
  fields: Readonly<Record<string, unknown>>,
  roles: Roles,
  { isAccepted, wrapsWeak = false, isOurSecret }: RecordChecks,
): ImportRecord | UnreadableRecord {
  const [kind] = RECORD_KINDS.filter((each) => each in fields);
  if (kind === undefined || Object.keys(fields).length !== 1)
    return { problem: `is no JSON object with one field: ${RECORD_KINDS.join(', ')}` };
  const parsed = parseRecord(kind, fields[kind]);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
    return { problem: issues.join('; '), name: nameIn(kind, fields[kind]) };
  }
  if (!wrapsWeak && isWeak(parsed.data)) return { problem: WEAK, name: nameIn(kind, fields[kind]) };
  if (!isAccepted && hasDigest(parsed.data)) return { problem: DIGEST, name: nameIn(kind, fields[kind]) };
  const secretKey = parsed.data.kind === 'partner' ? parsed.data.row.secretKey : undefined;
  if (secretKey !== undefined && isOurSecret(secretKey)) return { problem: OUR_SECRET };
  const role = roleIn(parsed.data);
  if (role !== undefined && roles.nameOf(role) === undefined)
    return { problem: `${kind}: ${role} is the number of no role`, name: nameIn(kind, fields[kind]) };
  return parsed.data;
}

function isWeak(record: ImportRecord): boolean {
  const password = record.kind === 'member' ? (record.row.password ?? '') : '';
  return !isPasswordHash(password) && readWeakDigest(password) !== undefined;
}

function hasDigest(record: ImportRecord): boolean {
  return record.kind === 'member' && looksLikeDigest(record.row.plainPassword ?? '');
}

function nameIn(kind: RecordKind, row: unknown): string | undefined {
  const id = numbered.safeParse(row).data?.id;
  return id !== undefined && (kind === 'member' || kind === 'account') ? `${kind} ${id}` : undefined;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function roleIn(record: ImportRecord): number | undefined {
  if (record.kind === 'member') return record.row.role_type;
  return record.kind === 'membership' ? record.row.roleType : undefined;
}
