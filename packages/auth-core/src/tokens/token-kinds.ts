import { z } from 'zod';
import { maxTokenLength } from './passphrase-cipher.js';

/**
 * One kind of token. `read` turns a payload (any JSON value) into that kind's payload and drops unknown
 * fields, or returns undefined.
 */
export function tokenKind<const K extends string, S extends z.ZodType>(kind: K, schema: S) {
  return {
    kind,
    read(payload: unknown): { kind: K; payload: z.output<S> } | undefined {
      const parsed = schema.safeParse(payload);
      return parsed.success ? { kind, payload: parsed.data } : undefined;
    },
  };
}

/** The number of a member, an account or a partner. */
export const idClaim = z.int().positive();

/** The epoch of the member's sessions when a token was made. The token ends with them. Other systems omit it. */
const sessionEpochClaim = z.int().nonnegative().nullish();

/** A number that other systems omit or set to null. */
export const optionalNumberClaim = z
  .int()
  .nullish()
  .transform((value) => value ?? null);

/** A text that other systems omit or set to null. */
const optionalTextClaim = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

/** A flag that other systems omit, or write in their database's form. */
export const flagClaim = z
  .union([z.boolean(), z.literal(0), z.literal(1)])
  .nullish()
  .transform((value) => value === true || value === 1);

/** Lifetimes that are not configurable, in seconds. */
export const TOKEN_LIVES_SECONDS = {
  socialLogin: 10 * 60,
  partnerLogin: 10 * 60,
  ssoLogin: 60,
  passwordReset: 30 * 60,
  /** Also a password reset, for a member without a password. */
  staffInvitation: 72 * 60 * 60,
  partner: 60 * 60,
  partnerSignIn: 5 * 60,
} as const;

/** Only `userId` is used for decisions. The other fields describe the state at login, for clients that show it. */
const sessionClaims = z.object({
  userId: idClaim,
  role: optionalNumberClaim,
  defaultPaymentId: optionalNumberClaim,
  accountId: optionalNumberClaim,
  isPersonnel: flagClaim,
});

/** A session. Its payload has no `type` and no list of accounts. */
const sessionToken = tokenKind('session', sessionClaims);

/** Who acts for the subject of a token (RFC 8693, section 4.1), and in which impersonation. */
const actClaim = z.object({ userId: idClaim, impersonationId: idClaim });

/**
 * A session in which staff act for a member. It has a kind of its own, so that code that accepts a session does not accept this
 * one by mistake, not even on a node of an older release.
 */
const impersonationToken = tokenKind('impersonation', sessionClaims.extend({ act: actClaim }));

/** The ticket that opens the session of an impersonation in a browser, once. It carries the token of that session. */
const impersonationTicketToken = tokenKind(
  'impersonationTicket',
  z.object({
    session: z.string().min(1).max(maxTokenLength),
    /** The page of the console on which it was begun, and to which the browser returns. */
    back: z.string().max(512).nullish(),
  }),
);

/**
 * The token a social callback gives to the front end: the member, the provider's key, and the connection; it
 * ends with the connection and with the member's sessions. Tokens of the replaced system name neither.
 */
const socialLoginToken = tokenKind(
  'socialLogin',
  z.object({
    userId: idClaim,
    provider: optionalTextClaim,
    connectionId: idClaim.nullish(),
    sessionEpoch: sessionEpochClaim,
  }),
);

/**
 * The token of a partner's login URL: the member, and the accounts that the session may reach. `partnerId` is
 * null if the token does not name the partner.
 */
const partnerLoginToken = tokenKind(
  'partnerLogin',
  z.object({
    userId: idClaim,
    role: optionalNumberClaim,
    defaultPaymentId: optionalNumberClaim,
    accountIds: z.array(idClaim).readonly(),
    partnerId: idClaim.nullish().transform((value) => value ?? null),
    sessionEpoch: sessionEpochClaim,
  }),
);

/**
 * The token that a sign-in by an account's identity provider gives to the front end: the member, and that sign-in. It ends with the
 * connection and with the member's sessions.
 */
const ssoLoginToken = tokenKind(
  'ssoLogin',
  z.object({ userId: idClaim, loginId: idClaim, sessionEpoch: z.int().nonnegative() }),
);

/**
 * The token of a password-reset mail: the member, the address it was sent to (null if the token has none),
 * and when the forgotten password was set, in epoch milliseconds (null if never changed). The link is invalid
 * once that password has changed.
 */
const passwordResetToken = tokenKind(
  'passwordReset',
  z.object({ userId: idClaim, email: optionalTextClaim, passwordChangedAtMs: z.int().nullish() }),
);

/**
 * The token mailed to the current address when another is to replace it: the member, and since when the change
 * is pending.
 */
const emailApprovalToken = tokenKind(
  'emailApproval',
  z.object({ userId: idClaim, sinceMs: z.int().positive() }),
);

/**
 * The token of an activation mail: the member, the address it was sent to (null if the token has none) and,
 * for a member without an address, the session that requested it.
 */
const emailVerificationToken = tokenKind(
  'emailVerification',
  z.object({ userId: idClaim, email: optionalTextClaim, sessionId: idClaim.optional() }),
);

/**
 * The token of an invitation mail: the invitation's id. The invitation's row says which link is valid, and
 * until when.
 */
const invitationToken = tokenKind('invitation', z.object({ invitationId: idClaim }));

/**
 * The token that restores a member who deleted themselves: the member, and the time of the planned erasure.
 */
const memberRestoreToken = tokenKind(
  'memberRestore',
  z.object({ userId: idClaim, erasesAtMs: z.int().positive() }),
);

const TYPED_KINDS = [
  socialLoginToken,
  partnerLoginToken,
  ssoLoginToken,
  emailVerificationToken,
  emailApprovalToken,
  memberRestoreToken,
  passwordResetToken,
  invitationToken,
  impersonationToken,
  impersonationTicketToken,
] as const;

type EncryptedKind = typeof sessionToken | (typeof TYPED_KINDS)[number];

/** The payload of an encrypted token, with its kind. */
export type TokenContent = NonNullable<ReturnType<EncryptedKind['read']>>;

/**
 * The kind named by a payload's `type`; an unknown name is not a kind. A session has no `type`. Neither has a login token
 * that the replaced system made for a partner: it lists accounts, where a session has one.
 */
export function findTokenKind(payload: object): EncryptedKind | undefined {
  if (!('type' in payload)) return 'accountIds' in payload ? partnerLoginToken : sessionToken;
  return TYPED_KINDS.find((each) => each.kind === payload.type);
}
