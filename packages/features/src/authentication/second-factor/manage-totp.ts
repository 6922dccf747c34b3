import {
  AppError,
  generateTotpSecret,
  matchTotpStep,
  readDigits,
  toBase32,
  totpUri,
} from '@gatehouse/auth-core';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import {
  confirmTotp,
  findTotpFactor,
  removeBackupCodes,
  removeTotp,
  setPendingTotp,
} from '@gatehouse/db/queries/second-factors';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import { change } from '../../audit/change.js';
import { FRESH } from '../../core/guard/freshness.js';
import { procedure } from '../../core/guard/procedure.js';
import { countFactorAttempt } from '../../core/rate-limit/step-limits.js';
import { keptSession } from '../session/end-sessions.js';
import { changeFactors } from './change-factors.js';
import { recordWrongCode } from './check-code.js';
import { applyEnrolmentProof, checkEnrolmentProof } from './enrolment-proof.js';
import {
  createFirstBackupCodes,
  enrolmentProof,
  openTotpSecret,
  sealTotpSecret,
  totpCodeSchema,
} from './factor-codes.js';
import { requireKeptLevel, requireRemovable } from './step-methods.js';
import { verifySession } from './verify-session.js';

const QR_BORDER = 4;

/** Begins to add an authenticator app: a secret that is valid once its first code is confirmed. */
export const startTotp = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  fresh: FRESH,
  opensInRecovery: true,
})
  .meta({ about: { summary: 'Begin to add an authenticator app' } })
  .input(z.object({}).optional())
  .output(
    z.object({
      message: z.string(),
      data: z.object({
        /** In base32, for apps that read no QR code. */
        secret: z.string(),
        uri: z.string(),
        /** The QR code of the address, as SVG. */
        qr: z.string(),
      }),
    }),
  )
  .mutation(async ({ ctx }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const profile = await services.access.profile(ctx.caller.member);
    const secret = generateTotpSecret();
    const sealed = sealTotpSecret(services, memberId, secret);
    await change(ctx, { announce: { members: [memberId] } }, ({ tx, nowMs }) =>
      setPendingTotp(tx, { memberId, secret: sealed, nowMs }),
    );
    const issuer = new URL(services.config.APP_URL).hostname;
    const account = profile?.email ?? profile?.username ?? String(memberId);
    const uri = totpUri(secret, { issuer, account });
    return {
      message: 'Scan the code with your authenticator app, then enter the code it shows',
      data: { secret: toBase32(secret), uri, qr: renderSVG(uri, { border: QR_BORDER }) },
    };
  });

const LIFE_MS = 10 * 60_000;

/**
 * Adds the authenticator app by its first code, which is then used up. Every sign-in takes a second step from now on. The other
 * sessions end, and this one is verified.
 */
export const confirmOwnTotp = procedure({
  who: 'member',
  inPerson: true,
  opensBelowLevel: true,
  opensInRecovery: true,
})
  .meta({
    about: {
      summary: 'Add the authenticator app by its first code',
      refuses: ['not_found', 'invalid_credentials', 'proof_required', 'rate_limited'],
      credentials: ['code'],
    },
  })
  .input(z.object({ code: totpCodeSchema, proof: enrolmentProof.optional() }))
  .output(
    z.object({
      message: z.string(),
      data: z.object({ backupCodes: z.array(z.string()).optional() }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { memberId } = ctx.caller;
    const nowMs = services.now();
    const factor = await findTotpFactor(services.db, memberId);
    const secret = factor?.pendingSecret ?? null;
    if (secret === null || nowMs >= (factor?.pendingSinceMs ?? 0) + LIFE_MS) throw new AppError('not_found');
    const proof = await checkEnrolmentProof(ctx, input.proof);
    const attempt = await countFactorAttempt(ctx, memberId, 'totp');
    const digits = readDigits(input.code, 6) ?? '';
    const step = matchTotpStep(openTotpSecret(services, memberId, secret), digits, nowMs);
    if (step === undefined) {
      await recordWrongCode(ctx, memberId, attempt, 'factor.setup');
      throw new AppError('invalid_credentials', { sent: 'code' });
    }
    const backupCodes = await changeFactors(ctx, async ({ tx, nowMs: atMs, authorized }) => {
      const before = await findMemberFactors(tx, memberId);
      if (!before) throw new AppError('unauthorized');
      await applyEnrolmentProof(tx, authorized, { before, proof, nowMs: atMs });
      if (!(await confirmTotp(tx, { memberId, secret, step, nowMs: atMs }))) throw new AppError('not_found');
      const codes = await createFirstBackupCodes(tx, services, memberId);
      await endAllSessions(tx, memberId, {
        nowMs: atMs,
        reason: 'factor_changed',
        endedById: memberId,
        keep: keptSession(authorized),
      });
      await verifySession(tx, authorized, { methods: ['totp'], nowMs: atMs });
      return {
        result: codes,
        change: 'totpAdded',
        action: 'factor.totp-added',
        before: { secondFactor: before.secondFactor },
        after: { secondFactor: true },
        secondFactor: true,
      };
    }).catch(async (error: unknown) => {
      await attempt.refund();
      throw error;
    });
    await attempt.succeed();
    return {
      message: 'The authenticator app is added; your other sessions have ended',
      data: backupCodes === undefined ? {} : { backupCodes },
    };
  });

/**
 * Removes the authenticator app and ends the other sessions. While sign-ins take a second step, the last way to
 * take it stays.
 */
export const removeOwnTotp = procedure({ who: 'member', inPerson: true, opensBelowLevel: true, fresh: FRESH })
  .meta({
    about: {
      summary: 'Remove the authenticator app',
      refuses: ['not_found', 'factor_required', 'last_factor'],
    },
  })
  .input(z.object({}).optional())
  .output(z.object({ message: z.string() }))
  .mutation(async ({ ctx }) => {
    const { memberId } = ctx.caller;
    await changeFactors(ctx, async ({ tx, nowMs, authorized }) => {
      const factors = await findMemberFactors(tx, memberId);
      if (!factors || factors.totpConfirmedAtMs === null) throw new AppError('not_found');
      const after = { ...factors, totpConfirmedAtMs: null };
      await requireKeptLevel(ctx, tx, authorized.caller, { before: factors, after });
      const { hasFactor } = await requireRemovable(tx, ctx.services, { memberId, before: factors, after });
      await removeTotp(tx, memberId);
      if (!hasFactor) await removeBackupCodes(tx, memberId);
      await endAllSessions(tx, memberId, {
        nowMs,
        reason: 'factor_changed',
        endedById: memberId,
        keep: keptSession(authorized),
      });
      return {
        result: undefined,
        change: 'totpRemoved',
        action: 'factor.totp-removed',
        before: { totp: true },
        after: { totp: false },
      };
    });
    return { message: 'The authenticator app is removed; your other sessions have ended' };
  });
