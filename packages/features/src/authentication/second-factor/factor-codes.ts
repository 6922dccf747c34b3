import { randomInt } from 'node:crypto';
import { emailKey, generateBackupCodes, readBackupCode, readDigits } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import { findMemberFactors } from '@gatehouse/db/queries/member-factors';
import { listStaleTotps, replaceBackupCodes, setTotpSecrets } from '@gatehouse/db/queries/second-factors';
import { insertMailedCode } from '@gatehouse/db/queries/sign-in-challenges';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import type { AskedFrom } from '../../core/rate-limit/known-device.js';
import { consumeMailLimit, storeHeldMail } from '../../mail/limit-mails.js';
import { writeMail } from '../../mail/queue-mail.js';

const MAILED_DIGITS = 8;
const TOTP_DIGITS = 6;

/** Codes as people type them. A malformed one is refused before anything is counted. */
const typed = (reads: (submitted: string) => string | undefined, message: string) =>
  z
    .string()
    .max(64)
    .refine((submitted) => reads(submitted) !== undefined, message);

export const totpCodeSchema = typed((text) => readDigits(text, TOTP_DIGITS), 'A code has six digits');
export const mailedCodeSchema = typed((text) => readDigits(text, MAILED_DIGITS), 'A code has eight digits');
export const backupCodeSchema = typed(readBackupCode, 'A backup code has thirteen letters and digits');

/** The ways to prove a second factor, of which a call sends one. */
export const factorCodes = {
  code: totpCodeSchema.optional(),
  backupCode: backupCodeSchema.optional(),
  emailCode: mailedCodeSchema.optional(),
};

/** The ticket of a recovery, as its mail has it. */
export const recoveryTicket = z.string().min(1).max(100);

/** Whether a call sends one of these fields, each with the fields that belong to it. */
export function sendsOne(sent: Readonly<Record<string, unknown>>): boolean {
  const { flow, ...proofs } = sent;
  const isWhole = (flow === undefined) === (proofs['response'] === undefined);
  return isWhole && Object.values(proofs).filter((value) => value !== undefined).length === 1;
}

/** A proof for a first factor: of a mailbox, or the one-use ticket of an operator. */
export const enrolmentProof = z.union([
  z.strictObject({ emailCode: mailedCodeSchema }),
  z.strictObject({ ticket: z.string().max(100) }),
]);

/** With this many left or fewer, the member is asked to create new ones. */
export const FEW_BACKUP_CODES = 3;

/** The stored form of a backup code, under the current data key and each previous one. */
export function backupCodeDigests(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  code: string,
): readonly [string, ...string[]] {
  return cipher.digests(code, `backupCode:${memberId}`);
}

/** Gives a member ten new backup codes, which end the old ones. They are shown once. */
export async function createBackupCodes(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'now'>,
  memberId: number,
): Promise<string[]> {
  const codes = generateBackupCodes();
  const digests = codes.map((code) => backupCodeDigests(services, memberId, readBackupCode(code) ?? code)[0]);
  await replaceBackupCodes(tx, { memberId, digests, nowMs: services.now() });
  return codes;
}

/** Gives a member without backup codes their first ones; undefined if there are some. */
export async function createFirstBackupCodes(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'now'>,
  memberId: number,
): Promise<string[] | undefined> {
  const factors = await findMemberFactors(tx, memberId);
  if (factors !== undefined && factors.backupCodesLeft > 0) return undefined;
  return createBackupCodes(tx, services, memberId);
}

const LIFE_MINUTES = 10;

/** A request this soon after the last one makes no new code. */
const PAUSE_MS = 60_000;

/** A code, whom and where it was mailed to, and for which challenge or session. */
interface MailedCode {
  readonly memberId: number;
  readonly emailKey: string;
  readonly boundKey: string;
  readonly code: string;
}

/**
 * The stored form of a mailed code, under the current data key and each previous one. It is bound to the address, so that
 * a code from an old mailbox proves nothing of a new one.
 */
export function mailedCodeDigests(
  { cipher }: Pick<Services, 'cipher'>,
  { memberId, emailKey: address, boundKey, code }: MailedCode,
): readonly [string, ...string[]] {
  return cipher.digests(code, `mailedCode:${memberId}:${boundKey}:${address}`);
}

/** Whom a code is mailed to, and for which challenge or session. */
interface CodeRequest {
  readonly memberId: number;
  readonly boundKey: string;
  readonly to: string;
  readonly askedFrom: AskedFrom;
}

/**
 * Mails a code of eight digits that proves the mailbox to one challenge or session, once, within ten minutes. Count
 * the request first (`limitMailRequests`), and wake the mail job after the commit.
 */
export async function queueCode(
  tx: Database,
  services: Services,
  { memberId, boundKey, to, askedFrom: share }: CodeRequest,
): Promise<void> {
  const code = String(randomInt(10 ** 8)).padStart(8, '0');
  const [digest] = mailedCodeDigests(services, { memberId, emailKey: emailKey(to), boundKey, code });
  const mail = { kind: 'mailedCode', to, memberId, share, data: { code, minutes: LIFE_MINUTES } } as const;
  const nowMs = services.now();
  const expiresAtMs = nowMs + LIFE_MINUTES * 60_000;
  const stored = { boundKey, memberId, digest, nowMs, expiresAtMs, pauseMs: PAUSE_MS };
  // An address at its mail limit keeps the codes it has.
  if (!(await consumeMailLimit(tx, services, mail))) return void (await storeHeldMail(tx, services, mail));
  if (await insertMailedCode(tx, stored)) await writeMail(tx, services, mail);
}

/** The encryption context of the secret of a member's authenticator app. */
export const totpSecretContext = (memberId: number) => `totp:${memberId}`;

/** Encrypts the secret of a member's authenticator app. */
export function sealTotpSecret(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  secret: Buffer,
): string {
  return cipher.seal(secret.toString('base64'), totpSecretContext(memberId));
}

/** Decrypts the secret of a member's authenticator app. */
export function openTotpSecret(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  sealed: string,
): Buffer {
  return Buffer.from(cipher.open(sealed, totpSecretContext(memberId)), 'base64');
}

const AT_ONCE = 500;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the secrets of authenticator apps that still use it, so that it can
 * be removed. Digests of backup codes cannot be renewed: they are valid until that key is removed.
 */
export const totpResealing: Job<Services> = {
  name: 'totp-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run(services) {
    if (services.config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const { currentPrefix } = services.cipher;
    const stale = await listStaleTotps(services.db, { currentPrefix, limit: AT_ONCE });
    for (const row of stale) {
      const anew = (sealed: string | null) =>
        sealed === null
          ? null
          : sealTotpSecret(services, row.memberId, openTotpSecret(services, row.memberId, sealed));
      await setTotpSecrets(services.db, row, {
        secret: anew(row.secret),
        pendingSecret: anew(row.pendingSecret),
      });
    }
    return stale.length;
  },
};
