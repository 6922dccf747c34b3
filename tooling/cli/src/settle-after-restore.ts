import { randomUUID } from 'node:crypto';
import { type Database, type RestoreChoice, settleRestored } from '@gatehouse/db';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import type { CommandContext } from './command.js';
import { operatorAudit } from './operator-audit.js';

/** What the operator may keep. */
export const KEEP_OPTIONS = {
  'keep-sessions': {
    type: 'boolean',
    default: false,
    about: 'keep the sessions of the backup, those that ended since included',
  },
  'keep-backup-codes': {
    type: 'boolean',
    default: false,
    about: 'keep the backup codes of second factors, those that were used since included',
  },
} as const;

/** What `KEEP_OPTIONS` chose. */
export function keptBy(values: {
  readonly 'keep-sessions': boolean;
  readonly 'keep-backup-codes': boolean;
}): RestoreChoice {
  return { keepsSessions: values['keep-sessions'], keepsBackupCodes: values['keep-backup-codes'] };
}

/**
 * Ends what may have been ended, used or sent since the backup, notes it, and says what it was.
 * @returns the subject of its line in the audit log, which no other run has
 */
export async function settleAfterRestore(
  context: CommandContext,
  db: Database,
  choice: RestoreChoice,
): Promise<{ subjectKind: string; subjectId: string }> {
  const nowMs = Date.now();
  const settled = await settleRestored(db, { nowMs, ...choice });
  const run = { subjectKind: 'restore', subjectId: randomUUID() };
  await recordAudit(db, operatorAudit(context), {
    atMs: nowMs,
    action: 'database.restored',
    ...run,
    after: { ...choice, ...settled },
  });
  const { members, partners, backupCodes, invitations, recoveries, mails } = settled;
  context.say(
    choice.keepsSessions
      ? `The sessions of ${members} members are those of the backup.`
      : `Every session of ${members} members has ended, with the auth_tokens of staff.`,
  );
  context.say(`Every token of ${partners} partners has ended, and every session that they began.`);
  context.say('Every code, challenge, ticket and pending change of address has ended.');
  context.say(
    `${backupCodes} backup codes, ${invitations} invitations and ${recoveries} recoveries have ended.`,
  );
  if (mails > 0)
    context.say(`${mails} mails waited, and may have been sent before: gatehouse mails list shows them.`);
  return run;
}
