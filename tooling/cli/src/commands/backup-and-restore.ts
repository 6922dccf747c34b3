import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backUpFile } from '@gatehouse/db/backup/back-up-file';
import { restoreFile } from '@gatehouse/db/backup/restore-file';
import type { Database } from '@gatehouse/db/database';
import { type AuditFilter, listAudit } from '@gatehouse/db/queries/audit-log';
import { type RestoreChoice, settleRestored } from '@gatehouse/db/queries/settle-restored';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { operatorAudit, operatorPath } from '../operator-audit.js';
import { createProgressBar, type ProgressBar } from '../progress-bar.js';
import { embeddedFile, withDatabase } from '../with-database.js';

/** Says what a checked copy of the database contains. */
function sayContent(
  { say }: Pick<CommandContext, 'say'>,
  { rows, newestAtMs }: { rows: ReadonlyMap<string, number>; newestAtMs: number | undefined },
): void {
  const [members = 0, accounts = 0, lines = 0] = ['members', 'accounts', 'audit_log'].map((table) =>
    rows.get(table),
  );
  const newest = newestAtMs === undefined ? '' : `, the newest of ${new Date(newestAtMs).toISOString()}`;
  say(`Checked: ${members} members, ${accounts} accounts, ${lines} lines of the audit log${newest}.`);
}

export const backup = defineCommand({
  name: 'backup',
  summary: 'copy the embedded database into a file, as it is at one moment, while the services run',
  usage: ['<file>'],
  words: { least: 1, most: 1 },
  options: {
    overwrite: { type: 'boolean', default: false, about: 'replace the file if it exists' },
  },
  async run(context, { values: { overwrite }, positionals: [to = ''] }) {
    const startedAt = performance.now();
    let bar: ProgressBar | undefined;
    let shown = 0;
    const { bytes, ...content } = await backUpFile(embeddedFile(context), operatorPath(context, to), {
      mayOverwrite: overwrite,
      onProgress(done, most) {
        bar ??= createProgressBar({ title: 'bytes', total: most + 1, ...context });
        bar.advance(done - shown);
        shown = done;
      },
    });
    sayContent(context, content);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    context.say(`${to} has ${bytes.toLocaleString('en')} bytes, written and checked in ${seconds} s.`);
    return 0;
  },
});

/** The data that the operator may keep. */
const KEEP_OPTIONS = {
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

/** The data chosen by `KEEP_OPTIONS`. */
function keptBy(values: {
  readonly 'keep-sessions': boolean;
  readonly 'keep-backup-codes': boolean;
}): RestoreChoice {
  return { keepsSessions: values['keep-sessions'], keepsBackupCodes: values['keep-backup-codes'] };
}

/**
 * Ends what may have been ended, used or sent since the backup, records it, and returns what it was.
 * @returns the subject of its line in the audit log, which no other run has
 */
async function settleAfterRestore(
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

export const restore = defineCommand({
  name: 'restore',
  summary:
    'put a backup in the place of the embedded database, with every service stopped; the former database is kept',
  usage: ['<file>'],
  words: { least: 1, most: 1 },
  options: KEEP_OPTIONS,
  async run(context, { values, positionals: [from = ''] }) {
    const startedAt = performance.now();
    const path = embeddedFile(context);
    let bar: ProgressBar | undefined;
    let shown = 0;
    const { former, bytes, pending, ...content } = await restoreFile(path, operatorPath(context, from), {
      nowMs: Date.now(),
      prepare: async (db) => void (await settleAfterRestore(context, db, keptBy(values))),
      onProgress(done, all) {
        bar ??= createProgressBar({ title: 'bytes', total: all, ...context });
        bar.advance(done - shown);
        shown = done;
      },
    });
    sayContent(context, content);
    if (pending.length > 0) context.say(`${pending.length} migrations applied.`);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    context.say(`${path} is restored: ${bytes.toLocaleString('en')} bytes, in ${seconds} s.`);
    if (former !== undefined) context.say(`The former database is ${former}.`);
    context.say('Start every service anew, on each machine.');
    return 0;
  },
});

/** A server that replicates another may be a moment behind. */
const MAX_LAG_MS = 2_000;

const PAUSE_MS = 100;

export const afterRestore = defineCommand({
  name: 'after-restore',
  summary:
    'on MariaDB and MySQL, after a dump was read and before any service starts: end what may have been ended or used since',
  options: KEEP_OPTIONS,
  async run(context, { values }) {
    const settled = await withDatabase(context, (db) => settleAfterRestore(context, db, keptBy(values)), {
      as: 'migrating',
      inHaste: false,
    });
    await withDatabase(context, (db) => requireSettled(db, settled), { tables: 'any' });
    return 0;
  },
});

/**
 * The services must see what was settled: their URL may lead to a database of the same name on another server.
 * @throws {CommandError} if they do not
 */
async function requireSettled(db: Database, settled: AuditFilter): Promise<void> {
  const untilMs = performance.now() + MAX_LAG_MS;
  while ((await listAudit(db, settled, { limit: 1 })).length === 0) {
    if (performance.now() > untilMs)
      throw new CommandError(
        'The services would not find what has just ended: MIGRATION_DATABASE_URL and DATABASE_URL lead to different servers. ' +
          'Correct the one that is wrong, start no service, and run gatehouse migrate and gatehouse after-restore again.',
      );
    await pause(PAUSE_MS);
  }
}
