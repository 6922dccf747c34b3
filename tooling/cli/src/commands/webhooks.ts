import type { Database } from '@gatehouse/db/database';
import { replayWebhook } from '@gatehouse/db/queries/process-webhooks';
import { findWebhook, listWebhooks, type WebhookRow } from '@gatehouse/db/queries/read-webhooks';
import type { WebhookStatus } from '@gatehouse/db/tables/billing-tables';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import { BILLING_PROVIDERS } from '@gatehouse/features/core/billing/billing-event';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { operatorAudit } from '../operator-audit.js';
import { printable } from '../printable.js';
import { withDatabase } from '../with-database.js';

const STATUSES: readonly WebhookStatus[] = ['received', 'processed', 'ignored', 'rejected', 'failed'];
const MAX_LINES = 200;
const USAGE = [
  'list [--status <status>] [--provider <provider>] [--limit <count>] [--before <id>]',
  'show <id>',
  'replay <id…>',
  'replay --failed',
];

/** The actions on the webhook log, one function per verb. */
const VERBS = { list, show, replay } as const;

export const webhooks = defineCommand({
  name: 'webhooks',
  summary: 'deliveries of the payment providers: list them, show one, apply some again',
  usage: USAGE,
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  options: {
    status: { type: 'string', value: '<status>', about: STATUSES.join(', ') },
    provider: { type: 'string', value: '<provider>', about: BILLING_PROVIDERS.join(', ') },
    limit: {
      type: 'string',
      default: '20',
      value: '<count>',
      about: `lines at most, up to ${MAX_LINES}; 20 unless given`,
    },
    before: { type: 'string', value: '<id>', about: 'only those before this one' },
    failed: { type: 'boolean', default: false, about: 'replay every one whose effect failed' },
  },
  async run(context, { values, positionals }) {
    const verb = Object.entries(VERBS).find(([name]) => name === positionals[0])?.[1];
    const ids = positionals.slice(1).map(Number);
    if (verb === undefined || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) {
      for (const usage of USAGE) context.say(`usage: gatehouse webhooks ${usage}`);
      return 2;
    }
    return withDatabase(context, (db) => verb(db, { ids, ...values }, context));
  },
});

interface Request {
  readonly ids: readonly number[];
  readonly failed: boolean;
  readonly status?: string | undefined;
  readonly provider?: string | undefined;
  readonly limit: string;
  readonly before?: string | undefined;
}

async function list(db: Database, request: Request, { say }: CommandContext): Promise<number> {
  const status = STATUSES.find((each) => each === request.status);
  const provider = BILLING_PROVIDERS.find((each) => each === request.provider);
  if ((request.status !== undefined && !status) || (request.provider !== undefined && !provider)) {
    say(`status: one of ${STATUSES.join(', ')}; provider: one of ${BILLING_PROVIDERS.join(', ')}`);
    return 2;
  }
  const limit = Math.min(Math.max(1, Math.trunc(Number(request.limit)) || 1), MAX_LINES);
  const beforeId = request.before === undefined ? undefined : Number(request.before);
  const rows = await listWebhooks(db, { status, provider, limit, beforeId });
  for (const row of rows) say(line(row));
  if (rows.length === 0) say('No delivery.');
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) say(`more: --before ${last.id}`);
  return 0;
}

async function show(db: Database, { ids }: Request, { say }: CommandContext): Promise<number> {
  const row = ids[0] === undefined ? undefined : await findWebhook(db, ids[0]);
  if (row === undefined) {
    say('There is no such delivery.');
    return 1;
  }
  const { body, bodyEncoding, ...rest } = row;
  for (const [name, value] of Object.entries(rest)) {
    const isTime = name.endsWith('AtMs') && typeof value === 'number';
    say(
      `${name.replace(/Ms$/, '').padEnd(12)} ${isTime ? new Date(value).toISOString() : printable(String(value ?? '-'))}`,
    );
  }
  say(bodyEncoding === 'base64' ? 'body (base64)' : 'body');
  say(printable(body));
  return 0;
}

async function replay(db: Database, request: Request, context: CommandContext): Promise<number> {
  const { say } = context;
  const audit = operatorAudit(context);
  const failed = request.failed ? await listWebhooks(db, { status: 'failed', limit: MAX_LINES }) : [];
  const ids = [...request.ids, ...failed.map(({ id }) => id)];
  let refused = 0;
  for (const id of ids) {
    const isDue = await db.transaction(async (tx) => {
      const atMs = Date.now();
      if (!(await replayWebhook(tx, { id, nowMs: atMs }))) return false;
      await recordAudit(tx, audit, {
        atMs,
        action: 'webhook.replayed',
        subjectKind: 'webhook',
        subjectId: id,
      });
      return true;
    });
    if (!isDue) refused += 1;
    say(isDue ? `${id}  due again` : `${id}  cannot be replayed: it holds no event, or still waits`);
  }
  if (ids.length === 0) say('Nothing to replay.');
  return refused === 0 ? 0 : 1;
}

function line(row: WebhookRow): string {
  const time = new Date(row.receivedAtMs).toISOString();
  const what = [row.provider, row.type, row.eventId].map((part) => part ?? '-').join('  ');
  return printable(
    `${String(row.id).padStart(8)}  ${time}  ${row.status.padEnd(9)}  ${what}  ${row.reason ?? ''}`.trimEnd(),
  );
}
