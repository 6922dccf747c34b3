import { AppError, matchTotpStep, readBackupCode, readDigits } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import {
  consumeBackupCode,
  consumeTotpStep,
  findTotpFactor,
  hasBackupCode,
} from '@gatehouse/db/queries/second-factors';
import type { RefusedKind } from '@gatehouse/db/queries/security-event-log';
import {
  consumeMailedCode,
  consumeMailedCodeAttempt,
  listOpenMailedCodes,
} from '@gatehouse/db/queries/sign-in-challenges';
import { recordAudit } from '../../audit/record-audit.js';
import { recordRefusal } from '../../audit/security-events.js';
import { createLockedReader } from '../../core/access/create-locked-reader.js';
import type { Context, Services } from '../../core/context.js';
import type { AuthenticationMethod, CheckedProof } from '../../core/guard/authentication-methods.js';
import { type CountedCode, countFactorAttempt } from '../../core/rate-limit/step-limits.js';
import { tellFactorChange } from './change-factors.js';
import { backupCodeDigests, mailedCodeDigests, openTotpSecret } from './factor-codes.js';

const ATTEMPTS_PER_MAILED_CODE = 5;

/** A code that was sent, of one of the kinds. */
export interface SentCode {
  readonly code?: string | undefined;
  readonly backupCode?: string | undefined;
  readonly emailCode?: string | undefined;
}

/** A kind of code, which is locked on its own after too many wrong ones in a row. */
type FactorKind = 'totp' | 'backupCode' | 'emailCode';

/** A right code that is not consumed yet. */
interface FactorProof {
  readonly method: AuthenticationMethod | undefined;
  /** Uses the code up, in the transaction of what it allows. False when another call was first. */
  consume(tx: Database, nowMs: number): Promise<boolean>;
}

/** Which kind of code was sent; undefined unless it is exactly one. */
export function kindOfCode({ code, backupCode, emailCode }: SentCode): FactorKind | undefined {
  const kinds = [
    ...(code === undefined ? [] : (['totp'] as const)),
    ...(backupCode === undefined ? [] : (['backupCode'] as const)),
    ...(emailCode === undefined ? [] : (['emailCode'] as const)),
  ];
  return kinds.length === 1 ? kinds[0] : undefined;
}

/**
 * Compares a code with what the member has. Undefined if it is wrong or was used.
 * @param boundKey the challenge or session that a mailed code must have been mailed for
 * @param attempt the attempt, counted already (`countFactorAttempt`)
 */
async function compareCode(
  ctx: Context,
  memberId: number,
  sent: SentCode,
  { boundKey, attempt }: { boundKey: string; attempt: CountedCode },
): Promise<FactorProof | undefined> {
  if (sent.code !== undefined) return compareTotp(ctx.services, memberId, sent.code);
  if (sent.backupCode !== undefined) return compareBackupCode(ctx, memberId, sent.backupCode);
  if (sent.emailCode !== undefined)
    return compareMailedCode(ctx.services, { memberId, boundKey, attempt, code: sent.emailCode });
  return undefined;
}

async function compareTotp(
  services: Services,
  memberId: number,
  submitted: string,
): Promise<FactorProof | undefined> {
  const digits = readDigits(submitted, 6);
  const factor = await findTotpFactor(services.db, memberId);
  const secret = factor?.secret ?? null;
  if (digits === undefined || secret === null) return undefined;
  const step = matchTotpStep(openTotpSecret(services, memberId, secret), digits, services.now());
  if (step === undefined) return undefined;
  return { method: 'totp', consume: (tx) => consumeTotpStep(tx, { memberId, secret, step }) };
}

async function compareBackupCode(
  ctx: Context,
  memberId: number,
  submitted: string,
): Promise<FactorProof | undefined> {
  const { services } = ctx;
  const code = readBackupCode(submitted);
  if (code === undefined) return undefined;
  const digests = backupCodeDigests(services, memberId, code);
  if (!(await hasBackupCode(services.db, { memberId, digests }))) return undefined;
  return {
    method: 'rc',
    async consume(tx, nowMs) {
      if (!(await consumeBackupCode(tx, { memberId, digests, nowMs }))) return false;
      const left = (await findMemberFactors(tx, memberId))?.backupCodesLeft ?? 0;
      await tellFactorChange(tx, ctx, { memberId, change: 'backupCodeUsed', left });
      await recordAudit(tx, ctx, {
        atMs: nowMs,
        action: 'factor.backup-code-used',
        actorId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
        after: { left },
      });
      return true;
    },
  };
}

/**
 * Compares a code with those mailed for a challenge or session, to the address that the member has now. A right one is accepted
 * only if it gets one of the five attempts of its mail. A wrong one takes an attempt of each mail, and is counted as often for
 * the member, so that several codes at once are no easier to guess.
 */
async function compareMailedCode(
  services: Services,
  {
    memberId,
    boundKey,
    attempt,
    code,
  }: { memberId: number; boundKey: string; attempt: CountedCode; code: string },
): Promise<FactorProof | undefined> {
  const { db, now } = services;
  const digits = readDigits(code, 8);
  const emailKey = (await findCredentialById(db, memberId))?.emailKey;
  if (digits === undefined || typeof emailKey !== 'string') return undefined;
  const digests = mailedCodeDigests(services, { memberId, emailKey, boundKey, code: digits });
  const most = ATTEMPTS_PER_MAILED_CODE;
  const open = await listOpenMailedCodes(db, { boundKey, most, nowMs: now() });
  const right = open.find(({ digest }) => digests.includes(digest));
  const mayTry = (id: number) => consumeMailedCodeAttempt(db, { id, most, nowMs: now() });
  if (right === undefined) {
    for (const [at, { id }] of open.entries()) {
      await mayTry(id);
      if (at > 0) await attempt.countAnother();
    }
    return undefined;
  }
  if (!(await mayTry(right.id))) return undefined;
  return {
    method: undefined,
    async consume(tx, usedAtMs) {
      await createLockedReader(tx, usedAtMs).lockMember(memberId, 'share');
      if ((await findCredentialById(tx, memberId))?.emailKey !== emailKey) return false;
      return consumeMailedCode(tx, { id: right.id, nowMs: usedAtMs });
    },
  };
}

/** A right code, and the counter of its attempts, which using it resets. */
interface CheckedCode {
  readonly proof: FactorProof;
  readonly attempt: CountedCode;
}

/**
 * Counts and compares a code of a member. Undefined, and recorded, if it is wrong or was used.
 * @param boundKey the challenge or session that a mailed code must have been mailed for
 * @throws {AppError} `rate_limited`, `invalid_input`
 */
export async function checkCode(
  ctx: Context,
  memberId: number,
  sent: SentCode,
  boundKey: string,
  purpose?: RefusedKind,
): Promise<CheckedCode | undefined> {
  const kind = kindOfCode(sent);
  if (kind === undefined) throw new AppError('invalid_input');
  const attempt = await countFactorAttempt(ctx, memberId, kind);
  const proof = await compareCode(ctx, memberId, sent, { boundKey, attempt }).catch(
    async (error: unknown) => {
      await attempt.refund();
      throw error;
    },
  );
  if (proof !== undefined) return { proof, attempt };
  await recordWrongCode(ctx, memberId, attempt, purpose);
  return undefined;
}

/** Records a wrong code, and a lock if it was one too many in a row. */
export async function recordWrongCode(
  ctx: Context,
  memberId: number,
  attempt: CountedCode,
  kind?: RefusedKind,
): Promise<void> {
  const { services, call } = ctx;
  const { isLocked } = await attempt.fail();
  const { requestId, address } = call;
  services.log.security({ event: 'login.failed', requestId, address, memberId, reason: 'second_step' });
  await recordRefusal(ctx, { memberId, kind, login: '', outcome: isLocked ? 'locked' : 'failed' });
  if (isLocked) {
    services.log.security({ event: 'login.locked', requestId, address, memberId, reason: 'second_step' });
    await services.db.transaction(async (tx) => {
      await tellFactorChange(tx, ctx, { memberId, change: 'locked' });
      await recordAudit(tx, ctx, {
        atMs: services.now(),
        action: 'factor.locked',
        actorId: null,
        onBehalfOfId: memberId,
        subjectKind: 'member',
        subjectId: memberId,
      });
    });
    services.wakeups.wake('mail');
  }
}

/**
 * Counts and compares a code of a member, as a proof to be consumed in the transaction of what it allows.
 * @param boundKey the challenge or session that a mailed code must have been mailed for
 * @throws {AppError} `invalid_credentials`, `rate_limited`, `invalid_input`
 */
export async function checkCodeProof(
  ctx: Context,
  memberId: number,
  sent: SentCode,
  boundKey: string,
  purpose?: RefusedKind,
): Promise<CheckedProof> {
  const checked = await checkCode(ctx, memberId, sent, boundKey, purpose);
  if (checked === undefined) throw new AppError('invalid_credentials', { sent: 'code' });
  const { proof, attempt } = checked;
  return {
    methods: proof.method === undefined ? [] : [proof.method],
    async consume(tx, nowMs) {
      if (!(await proof.consume(tx, nowMs))) throw new AppError('invalid_credentials', { sent: 'code' });
    },
    succeed: () => attempt.succeed(),
    // Only a code that another call used first is treated as wrong.
    async afterRefusal(error) {
      const wasUsed = error instanceof AppError && error.code === 'invalid_credentials';
      if (!wasUsed) await attempt.refund();
    },
  };
}
