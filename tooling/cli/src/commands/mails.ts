import { emailSchema, randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { listDeadMails, listWaitingMails } from '@gatehouse/db/queries/list-mails';
import { countMailBacklog, setMailDue } from '@gatehouse/db/queries/mail-queue';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { createMailDriver, mailSender } from '@gatehouse/runtime/mail/create-mail-driver';
import { explainDelivery } from '@gatehouse/runtime/mail/mail-driver';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { withDatabase } from '../with-database.js';

const MAX_LINES = 200;
const USAGE = ['list', 'list --waiting', 'retry <id…>', 'test <address>'];

export const mails = defineCommand({
  name: 'mails',
  summary: 'mails that were given up or wait: list them, try some again, send one for a test',
  usage: USAGE,
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  options: {
    waiting: {
      type: 'boolean',
      default: false,
      about: 'those that are still to be delivered, instead of those that were given up',
    },
  },
  async run(context, { values: { waiting }, positionals: [verb, ...rest] }) {
    const [address] = rest;
    if (verb === 'test' && address !== undefined && rest.length === 1 && !waiting)
      return sendTest(context, address);
    if (verb === 'list' && rest.length === 0)
      return withDatabase(context, (db) => (waiting ? listWaiting(db, context) : listDead(db, context)));
    const ids = rest.map(Number);
    const areIds = ids.length > 0 && ids.every((id) => Number.isSafeInteger(id) && id > 0);
    if (verb === 'retry' && areIds && !waiting) return withDatabase(context, (db) => retry(db, ids, context));
    for (const usage of USAGE) context.say(`usage: gatehouse mails ${usage}`);
    return 2;
  },
});

async function listDead(db: Database, { say }: CommandContext): Promise<number> {
  const dead = await listDeadMails(db, MAX_LINES);
  for (const { id, kind, recipient, createdAtMs, attempts, lastError } of dead) {
    const when = new Date(createdAtMs).toISOString();
    say(`${id}  ${when}  ${kind}  ${recipient}  ${attempts} tries  ${lastError ?? ''}`);
  }
  if (dead.length === 0) say('No mail was given up.');
  return 0;
}

async function listWaiting(db: Database, { say }: CommandContext): Promise<number> {
  const { waiting } = await countMailBacklog(db);
  const rows = await listWaitingMails(db, MAX_LINES);
  for (const { id, kind, recipient, createdAtMs, attempts, dueAtMs, lastError } of rows) {
    const [when, due] = [createdAtMs, dueAtMs].map((atMs) => new Date(atMs).toISOString());
    const last = lastError === null ? '' : `  ${lastError}`;
    say(`${id}  ${when}  ${kind}  ${recipient}  ${attempts} tries  next ${due}${last}`);
  }
  if (waiting > rows.length) say(`${waiting - rows.length} more.`);
  if (waiting === 0) say('No mail waits.');
  return 0;
}

async function retry(db: Database, ids: readonly number[], { say }: CommandContext): Promise<number> {
  const due = await Promise.all(ids.map((id) => setMailDue(db, id, Date.now())));
  for (const [index, isDue] of due.entries()) {
    say(`${ids[index]}: ${isDue ? 'will be tried again' : 'not given up, or its content is gone'}`);
  }
  return due.every(Boolean) ? 0 : 1;
}

/** Sends directly, so that it tests only the mail driver, without services, jobs or the database. */
async function sendTest({ env, say }: CommandContext, address: string): Promise<number> {
  const to = emailSchema.safeParse(address);
  if (!to.success) {
    say(`${address} is no e-mail address.`);
    return 2;
  }
  const { APP_URL, MAIL_FROM, MAIL_OUTBOX_DIRECTORY, RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL } =
    configShape;
  const shape = { APP_URL, MAIL_FROM, MAIL_OUTBOX_DIRECTORY, RESEND_API_KEY, RESEND_BASE_URL, SMTP_URL };
  const config = readConfig(shape, env);
  const driver = createMailDriver(config);
  const startedAt = performance.now();
  const delivery = await driver.deliver({
    idempotencyKey: randomId(),
    kind: 'test',
    to: to.data,
    subject: 'A test of Gatehouse',
    text: `Mails of ${config.APP_URL} arrive. An operator sent this one by hand; nothing is to be done.\n`,
    html: `<p>Mails of ${config.APP_URL} arrive. An operator sent this one by hand; nothing is to be done.</p>`,
  });
  if (delivery.outcome !== 'sent') {
    say(`Not sent: ${explainDelivery(delivery.reason, config)}`);
    return 1;
  }
  const tookMs = Math.round(performance.now() - startedAt);
  say(
    driver.name === 'outbox'
      ? `Nothing left this machine: neither SMTP_URL nor RESEND_API_KEY is set. It was written to ${config.MAIL_OUTBOX_DIRECTORY}.`
      : `Taken by ${driver.name} in ${tookMs} ms, from ${mailSender(config)}. Look into the inbox of ${to.data}, and among its spam.`,
  );
  return 0;
}
