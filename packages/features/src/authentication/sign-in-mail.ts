import { randomInt } from 'node:crypto';
import { AppError, randomToken, sha256Hex, TOKEN_LIVES_SECONDS } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isActiveAt } from '@gatehouse/db/queries/member-columns';
import { type Credential, findCredentialById } from '@gatehouse/db/queries/passwords';
import { findMemberAddress, type MemberAddress } from '@gatehouse/db/queries/read-members';
import {
  consumeMailedCode,
  consumeMailedCodeAttempt,
  insertMailedCode,
  listOpenMailedCodes,
  type NewMailedCode,
  type OpenMailedCode,
} from '@gatehouse/db/queries/sign-in-challenges';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import { createLockedReader } from '../core/access/create-locked-reader.js';
import type { Context, Services } from '../core/context.js';
import type { Caller } from '../core/guard/caller.js';
import { sessionKey } from '../core/guard/caller.js';
import { beginFlow, consumeFlow, type Flow, isFlowConsumed } from '../core/guard/one-use-flow.js';
import { type AskedFrom, askedFrom } from '../core/rate-limit/known-device.js';
import { familiarBucket } from '../core/rate-limit/login-limits.js';
import { resetLink, signInLink } from '../mail/app-link.js';
import { consumeMailLimit, storeHeldMail } from '../mail/limit-mails.js';
import { queueMail, writeMail } from '../mail/queue-mail.js';

const DAY_MS = 86_400_000;
const MAX_PER_CODE_AND_ADDRESS = 5;
const MAX_PER_CODE = 50;
const MAX_PER_DAY = 200;

/** Stands for the code of a flow without one: no member has this id. */
const NONE: OpenMailedCode = { id: 0, memberId: -1, digest: '' };

/** What the mail of an e-mail sign-in has: digits to type in, and the token of its link. */
type MailedPart = 'code' | 'token';

/** The key of the rows with the codes or tokens of a flow. */
function mailedPartKey(flowId: string, part: MailedPart): string {
  return sha256Hex(`emailSignIn:${part}:${flowId}`);
}

/** The stored form of a code or token, bound to the flow and to the address it was mailed to. */
function mailedPartDigests(
  { cipher }: Pick<Services, 'cipher'>,
  { text, emailKey, boundKey }: { text: string; emailKey: string; boundKey: string },
): readonly [string, ...string[]] {
  return cipher.digests(text, `emailSignIn:${boundKey}:${emailKey}`);
}

/** A right code or token, and whose it is. */
interface RightPart {
  readonly member: Credential;
  /**
   * Uses up the flow and what was mailed for it. False when the address is no longer the member's.
   * @throws {AppError} `invalid_challenge` if the flow is used up
   */
  claim(tx: Database): Promise<boolean>;
}

/** The outcome of a comparison. */
interface ComparedPart {
  /** Whether it was compared: false over a limit, and for expired codes. */
  readonly mayTry: boolean;
  /** Whose it is; a negative number for an unknown address. */
  readonly holder: number;
  readonly memberId: number | undefined;
  readonly right: RightPart | undefined;
}

/**
 * Counts and compares what came with a flow with the codes of each of its mails, newest first. The limits are those of one-time
 * passwords, and each comparison is counted: for each mail 5 from one address and 50 in all, and 200 a day for a member, familiar
 * addresses separately. An unknown address costs the same statements.
 */
export async function compareMailedPart(
  ctx: Context,
  flow: Flow,
  { part, text }: { part: MailedPart; text: string },
): Promise<ComparedPart> {
  const { services } = ctx;
  const boundKey = mailedPartKey(flow.id, part);
  const nowMs = services.now();
  const open = await listOpenMailedCodes(services.db, { boundKey, most: MAX_PER_CODE, nowMs });
  let compared: ComparedPart | undefined;
  for (const mailed of open.length > 0 ? open : [NONE]) {
    const now = await compareOne(ctx, flow, { boundKey, mailed, text });
    if (now.right !== undefined) return now;
    compared = { ...now, mayTry: now.mayTry || compared?.mayTry === true };
  }
  return compared ?? { mayTry: false, holder: NONE.memberId, memberId: undefined, right: undefined };
}

async function compareOne(
  ctx: Context,
  flow: Flow,
  { boundKey, mailed, text }: { boundKey: string; mailed: OpenMailedCode; text: string },
): Promise<ComparedPart> {
  const { services } = ctx;
  const { db } = services;
  const { id, memberId: holder, digest } = mailed;
  const mayTry = await enforceLimits(ctx, mailed);
  const member = await findCredentialById(db, holder);
  const emailKey = member?.emailKey ?? '';
  const matches = mailedPartDigests(services, { text, emailKey, boundKey }).includes(digest);
  const isOpen = member !== undefined && isActiveAt(member, services.now());
  if (!mayTry || !matches || !isOpen) return { mayTry, holder, memberId: member?.id, right: undefined };
  const claim = async (tx: Database): Promise<boolean> => {
    const atMs = services.now();
    // The session that follows writes to the member's row.
    await createLockedReader(tx, atMs).lockMember(member.id, 'exclusive');
    const now = await findCredentialById(tx, member.id);
    if (now?.emailKey !== emailKey || !isActiveAt(now, atMs)) return false;
    await consumeFlow(tx, flow);
    return consumeMailedCode(tx, { id, nowMs: atMs });
  };
  return { mayTry, holder, memberId: member.id, right: { member, claim } };
}

/** Whether a stranger may have codes mailed to a member: they are active and have an address, which the code proves. */
export function maySignInByMail(member: Credential, nowMs: number): boolean {
  return isActiveAt(member, nowMs) && member.email !== null;
}

async function enforceLimits(
  ctx: Context,
  { id, memberId: holder }: Pick<OpenMailedCode, 'id' | 'memberId'>,
): Promise<boolean> {
  const { services, call } = ctx;
  const origin = sha256Hex(networkOf(call.address)).slice(0, 32);
  const bucket = await familiarBucket(ctx, holder);
  const consume = async (key: string, most: number) =>
    (await services.limits.consume({ key: `email-sign-in:${key}`, most, windowMs: DAY_MS })).isAllowed;
  return (
    (await consume(`${id}:${origin}`, MAX_PER_CODE_AND_ADDRESS)) &&
    (await consume(`${holder}:day:${bucket}`, MAX_PER_DAY)) &&
    (await consumeMailedCodeAttempt(services.db, { id, most: MAX_PER_CODE, nowMs: services.now() }))
  );
}

const LIFE_MINUTES = 10;

/** The mail of a sign-in, and the rows by which its code and its link are checked. */
interface SignInMail {
  readonly codes: readonly NewMailedCode[];
  readonly data: { readonly code: string; readonly link: string; readonly minutes: number };
}

/**
 * Makes the code and the link of a sign-in by mail, which are accepted only with the flow.
 * @param recipient `memberId` is the member to whom the codes belong; a negative one belongs to nobody
 */
export function makeSignInMail(
  services: Pick<Services, 'cipher' | 'config' | 'now'>,
  flowId: string,
  { memberId, emailKey }: { readonly memberId: number; readonly emailKey: string },
): SignInMail {
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const token = randomToken();
  const nowMs = services.now();
  const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
  const stored = (part: MailedPart, text: string) => {
    const boundKey = mailedPartKey(flowId, part);
    const [digest] = mailedPartDigests(services, { text, emailKey, boundKey });
    return { boundKey, memberId, digest, nowMs, expiresAtMs, pauseMs: 0 };
  };
  return {
    codes: [stored('code', code), stored('token', token)],
    data: { code, link: signInLink(services.config, token), minutes: LIFE_MINUTES },
  };
}

/** Stores the code and the link of a mail. False if another request of the same flow stored its own at the same time. */
export async function storeSignInCodes(tx: Database, { codes }: SignInMail): Promise<boolean> {
  for (const code of codes) if (!(await insertMailedCode(tx, code))) return false;
  return true;
}

/**
 * Makes a change for which the caller must have proven their address. Without a proven address they are refused with
 * `unconfirmed` and get a mail that proves it. The refusal has the flow of that mail.
 */
export async function mailProofIfUnconfirmed<Result>(
  ctx: Context,
  { memberId, session }: Pick<Caller, 'memberId' | 'session'>,
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unconfirmed') throw error;
    const { services } = ctx;
    const share = await askedFrom(ctx, memberId);
    const flow = await services.db.transaction(async (tx) => {
      const address = await findMemberAddress(tx, memberId);
      return address && mailProof(tx, services, address, { share, sessionKey: sessionKey(session) });
    });
    services.wakeups.wake('mail');
    throw new AppError('unconfirmed', flow === undefined ? {} : { flow });
  }
}

/**
 * Mails a signed-in member how to prove their address: a code and a link to sign in with or, where sign-in by mail is switched
 * off, a link to set a password. Does not exceed the limits of these mails.
 * @returns the flow with which the code and the link are accepted, for the caller's browser alone; undefined for a reset
 */
async function mailProof(
  tx: Database,
  services: Services,
  { id: memberId, email, emailKey, passwordChangedAtMs }: MemberAddress,
  { share, sessionKey: key }: { share: AskedFrom; sessionKey: string },
): Promise<string | undefined> {
  if (email === null || emailKey === null) return undefined;
  if (!services.config.EMAIL_SIGN_IN) {
    const ttlSeconds = TOKEN_LIVES_SECONDS.passwordReset;
    const link = resetLink(services, { id: memberId, email, passwordChangedAtMs }, ttlSeconds);
    const data = { link, minutes: ttlSeconds / 60 };
    await queueMail(tx, services, { kind: 'passwordReset', to: email, memberId, data });
    return undefined;
  }
  // The mails of one session share one flow, so that the code of each is accepted on the screen that the last one opened.
  const own = sha256Hex(`proof:${key}:${memberId}:${emailKey}`);
  const earlier = (await isFlowConsumed({ db: tx }, own)) ? undefined : own;
  const { flow, id } = beginFlow(services, { purpose: 'emailSignIn' }, sha256Hex(emailKey), earlier);
  const made = makeSignInMail(services, id, { memberId, emailKey });
  const mail = { kind: 'signInCode', to: email, memberId, share } as const;
  if (await consumeMailLimit(tx, services, mail)) {
    if (await storeSignInCodes(tx, made)) await writeMail(tx, services, { ...mail, data: made.data });
  } else await storeHeldMail(tx, services, mail);
  return flow;
}
