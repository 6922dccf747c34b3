import { storableText, vouchedEmailSchema } from '@gatehouse/auth-core';
import {
  profileEmail,
  profileId,
  profileName,
} from '@gatehouse/features/core/social-providers/social-profile';
import { findSocialProviderById } from '@gatehouse/features/core/social-providers/social-providers';
import { z } from 'zod';

const id = z
  .int()
  .positive()
  .max(2 ** 47);
const flag = z.literal([0, 1]).transform((value) => value === 1);
const instant = z.int().nonnegative();
const MAX_TOKEN_LENGTH = 8192;
const token = z.string().min(1).max(MAX_TOKEN_LENGTH);

/** A list of pages or channels; one in another form is left out. */
const accounts = z
  .array(
    z
      .object({ id: z.union([z.string(), z.number().transform(String)]), name: z.string().optional() })
      .transform((account) => ({ id: account.id, name: account.name ?? account.id })),
  )
  .nullish()
  .transform((list) => list ?? null)
  .catch(null);

/** The fields in which providers put a person's id in a profile. */
const ID_PATHS = [
  ['id'],
  ['sub'],
  ['open_id'],
  ['providerUserId'],
  ['data', 'id'],
  ['data', 'user', 'open_id'],
  ['_json', 'id'],
  ['_json', 'sub'],
  ['user', 'id'],
  ['profile', 'id'],
] as const;

const connection = z
  .strictObject({
    memberId: id,
    provider_Id: z.int().refine((number) => findSocialProviderById(number) !== undefined, {
      message: 'is the number of no provider',
    }),
    providerUserId: z.string().optional(),
    accessToken: token,
    refresh_token: token.nullish().catch(null),
    token_status: z.string().optional(),
    expiresAt: instant.nullish(),
    FbAccounts: accounts,
    IgAccounts: accounts,
    LnAccounts: accounts,
    TwtAccounts: accounts,
    detail: z.unknown(),
    createdAt: instant.optional(),
  })
  .transform(({ providerUserId, detail, token_status: status, ...row }, context) => {
    const found = idIn(providerUserId, detail);
    if (found === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['providerUserId'],
        message: "neither a column nor detail has the provider's id of the person: map one, as in detail.id",
      });
      return z.NEVER;
    }
    const profile = profileIn(detail);
    return { ...row, providerUserId: found, tokenStatus: statusOf(status), ...profile };
  });

function idIn(given: string | undefined, detail: unknown): string | undefined {
  const candidates = [given, ...ID_PATHS.map((path) => within(detail, path))];
  return candidates.map((each) => profileId.safeParse(each).data).find((each) => each !== undefined);
}

function within(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  return found;
}

const STATUSES = ['valid', 'expiring', 'expired', 'revoked', 'error'] as const;

/** Without a known status the token is tried: a renewal or the provider shows whether it is valid. */
function statusOf(status: string | undefined): (typeof STATUSES)[number] {
  return STATUSES.find((each) => each === status?.toLowerCase()) ?? 'valid';
}

const profile = z
  .object({ name: profileName, displayName: profileName, email: profileEmail })
  .catch({ name: null, displayName: null, email: null });

function profileIn(detail: unknown) {
  const { name, displayName, email } = profile.parse(detail);
  return { displayName: displayName ?? name, email };
}

const subject = z.strictObject({
  id,
  accountId: id,
  name: storableText(255),
  isDeleted: flag.default(false),
  createdAt: instant.optional(),
});

const conversation = z.strictObject({
  id,
  accountId: id,
  subjectId: id.optional(),
  title: storableText(255),
  isDeleted: flag.default(false),
  createdAt: instant.optional(),
});

const participant = z.strictObject({ conversationId: id, memberId: id, createdAt: instant.optional() });

const MAX_BODY_BYTES = 1_000_000;

const message = z.strictObject({
  id,
  conversationId: id,
  memberId: id,
  body: z.string().refine((text) => Buffer.byteLength(text) <= MAX_BODY_BYTES, {
    message: `has more than ${MAX_BODY_BYTES} bytes`,
  }),
  createdAt: instant.optional(),
});

const affiliate = z.strictObject({
  memberId: id,
  code: storableText(64),
  commissionPercent: z.number().min(0).max(100).default(0),
  payoutEmail: vouchedEmailSchema.optional(),
  active: flag.default(true),
  createdAt: instant.optional(),
});

/** The kinds of rows that `gatehouse import` does not accept, and their forms. */
export const CONTENT_SCHEMAS = {
  connections: connection,
  subjects: subject,
  conversations: conversation,
  participants: participant,
  messages: message,
  affiliates: affiliate,
} as const;

export type ContentKind = keyof typeof CONTENT_SCHEMAS;

/** A row of a kind that `gatehouse import` does not accept. */
export type ContentRow<Kind extends ContentKind> = z.output<(typeof CONTENT_SCHEMAS)[Kind]>;
