import { readBackupCode, readDigits } from '@gatehouse/auth-core';
import { z } from 'zod';

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

/** Whether a call sends one of these fields, each with what belongs to it. */
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
