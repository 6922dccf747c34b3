import { findMemberFactors } from '@gatehouse/db';
import { z } from 'zod';
import type { Context } from '../../core/app/context.js';
import { ENROLMENT, levelAskedOfMember, requiresView } from '../../core/app/level.js';
import { hasOwnPasskey } from '../../core/app/own-passkeys.js';
import type { OpenedSession } from '../login/finish-sign-in.js';
import { putInCookie } from '../login/put-in-cookie.js';
import { FEW_BACKUP_CODES } from '../second-factor/backup-codes.js';

/** The answer of every sign-in. */
export const signedInView = z.object({
  data: z.object({
    /** Absent where the session is in a cookie. */
    token: z.string().optional(),
    expiresAt: z.iso.datetime(),
    userId: z.int(),
    role: z.int(),
    accountId: z.int().nullable(),
    isPersonnel: z.boolean(),
    level: z.int(),
    /** How the session was authenticated. */
    methods: z.array(z.string()),
    /** What the session lacks before it may be used; null if nothing. */
    requires: requiresView,
    /** What to ask the member for. */
    prompts: z.array(z.enum(['changePassword', 'addPasskey', 'newBackupCodes'])),
  }),
});

/** A session as its sign-in answers. */
export async function toSignedIn(
  ctx: Context,
  session: OpenedSession,
): Promise<z.output<typeof signedInView>> {
  const { token, expiresAtMs, userId, role, accountId, isPersonnel, level, methods } = session;
  const isInCookie = await putInCookie(ctx, session);
  const factors = await findMemberFactors(ctx.services.db, userId);
  const lacksPasskey =
    ctx.services.relyingParty !== undefined &&
    factors !== undefined &&
    !methods.includes('partner') &&
    !hasOwnPasskey(ctx.services, factors);
  const isLow = factors?.secondFactor === true && factors.backupCodesLeft <= FEW_BACKUP_CODES;
  return {
    data: {
      ...(isInCookie ? {} : { token }),
      expiresAt: new Date(expiresAtMs).toISOString(),
      userId,
      role,
      accountId,
      isPersonnel,
      level,
      methods: [...methods],
      requires: await lackedBySession(ctx.services, session),
      prompts: [
        ...((factors?.passwordListedAtMs ?? null) === null ? [] : (['changePassword'] as const)),
        ...(lacksPasskey ? (['addPasskey'] as const) : []),
        ...(isLow ? (['newBackupCodes'] as const) : []),
      ],
    },
  };
}

/** The level that is asked of the member, as staff or in an account, and that the session has not reached. */
async function lackedBySession(
  services: Context['services'],
  { userId, level, isEnrolment }: OpenedSession,
): Promise<z.output<typeof requiresView>> {
  const { access } = services;
  await access.current();
  const member = await access.member(userId);
  if (member === undefined) return null;
  const asked = await levelAskedOfMember(services, access, member);
  if (isEnrolment) return asked ?? ENROLMENT;
  return asked !== undefined && asked.level > level ? asked : null;
}
