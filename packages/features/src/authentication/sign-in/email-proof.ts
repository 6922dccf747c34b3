import { sha256Hex } from '@gatehouse/auth-core';
import {
  type Credential,
  consumeMailedCode,
  consumeMailedCodeAttempt,
  type Database,
  findCredentialById,
  isActiveAt,
  listOpenMailedCodes,
  type OpenMailedCode,
} from '@gatehouse/db';
import { networkOf } from '@gatehouse/runtime/network/network-of';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context } from '../../core/app/context.js';
import { consumeFlow, type Flow } from '../../core/app/flow.js';
import { familiarBucket } from '../../core/app/login-limits.js';
import type { Services } from '../../core/app/services.js';

const DAY_MS = 86_400_000;
const MOST_PER_CODE_AND_ADDRESS = 5;
const MOST_PER_CODE = 50;
const MOST_PER_DAY = 200;

/** Stands for the code of a flow without one: no member has this id. */
const NONE: OpenMailedCode = { id: 0, memberId: -1, digest: '' };

/** What the mail of an e-mail sign-in has: digits to type in, and the token of its link. */
export type MailedPart = 'code' | 'token';

/** The key of the rows with the codes or tokens of a flow. */
export function mailedPartKey(flowId: string, part: MailedPart): string {
  return sha256Hex(`emailSignIn:${part}:${flowId}`);
}

/** The stored form of a code or token, bound to the flow and to the address it was mailed to. */
export function mailedPartDigests(
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
export interface ComparedPart {
  /** Whether it was compared: false over a limit, and for what has expired. */
  readonly mayTry: boolean;
  /** Whose it is; a negative number for an unknown address. */
  readonly holder: number;
  readonly memberId: number | undefined;
  readonly right: RightPart | undefined;
}

/**
 * Counts and compares what came with a flow, with what each of its mails has, newest first. The limits are those of
 * one-time passwords, and each comparison counts: for each mail 5 of an address and 50 of all, and 200 a day of a member,
 * familiar addresses apart. An unknown address costs the same statements.
 */
export async function compareMailedPart(
  ctx: Context,
  flow: Flow,
  { part, text }: { part: MailedPart; text: string },
): Promise<ComparedPart> {
  const { services } = ctx;
  const boundKey = mailedPartKey(flow.id, part);
  const nowMs = services.now();
  const open = await listOpenMailedCodes(services.db, { boundKey, most: MOST_PER_CODE, nowMs });
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
    (await consume(`${id}:${origin}`, MOST_PER_CODE_AND_ADDRESS)) &&
    (await consume(`${holder}:day:${bucket}`, MOST_PER_DAY)) &&
    (await consumeMailedCodeAttempt(services.db, { id, most: MOST_PER_CODE, nowMs: services.now() }))
  );
}
