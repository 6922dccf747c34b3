import { setTimeout as pause } from 'node:timers/promises';
import { parseUrl } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { lockEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { audienceKey, findFeedEnd, listEvents } from '@gatehouse/db/queries/events';
import { beginRedelivery, continueRedelivery } from '@gatehouse/db/queries/redeliveries';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import { EVENT_TYPE_NAMES, typesOf } from '@gatehouse/features/event/event-types';
import { toEventView } from '@gatehouse/features/event/read-feed';
import { DEMONSTRATION_EVENT_SECRET } from '@gatehouse/runtime/config/secrets';
import { DEFAULT_EVENTS_PORT } from '@gatehouse/simulator';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { defineCommand } from '../define-command.js';
import { eventLine } from '../events/event-line.js';
import { startListening } from '../events/listen.js';
import { sendSample } from '../events/send.js';
import { interrupted } from '../interrupted.js';
import { operatorAudit } from '../operator-audit.js';
import { withDatabase } from '../with-database.js';

const USAGE = [
  'listen [--port <port>] [--secret <secret>] [--fail <status>]',
  'send <url> [--type <type>] [--secret <secret>] [--bad-signature] [--old] [--duplicate] [--out-of-order]',
  'tail [--account <id>] [--types <types>] [--after <position>]',
  'redeliver <endpoint> --from <time> --to <time>',
];

const SECRET = /^whsec_[0-9A-Za-z+/]{8,}={0,2}$/;
const PAGE = 500;
const LOOK_AGAIN_MS = 500;

/** The actions on events, one function per verb. */
const VERBS = { listen, send, tail, redeliver } as const;

export const events = defineCommand({
  name: 'events',
  summary: 'events: print those that arrive, test a receiver, follow the feed, deliver again',
  usage: USAGE,
  words: { least: 1, most: 2 },
  options: {
    port: {
      type: 'string',
      value: '<port>',
      about: `where it listens; EVENTS_PORT, or ${DEFAULT_EVENTS_PORT}`,
    },
    secret: {
      type: 'string',
      value: '<secret>',
      about: "of the endpoint, whsec_…; the demonstration's unless given",
    },
    fail: {
      type: 'string',
      value: '<status>',
      about: 'answer with this status, to see how events come again',
    },
    type: {
      type: 'string',
      default: 'account.updated',
      value: '<type>',
      about: 'of the event; account.updated unless given',
    },
    'bad-signature': {
      type: 'boolean',
      default: false,
      about: 'sign with another secret: the receiver should refuse it',
    },
    old: {
      type: 'boolean',
      default: false,
      about: 'sign a time ten minutes ago: the receiver should refuse it',
    },
    duplicate: { type: 'boolean', default: false, about: 'send it twice, with the same id' },
    'out-of-order': {
      type: 'boolean',
      default: false,
      about: 'send a later event of the same subject first',
    },
    account: { type: 'string', value: '<id>', about: 'only events that this account is told' },
    types: { type: 'string', value: '<types>', about: 'only these, as in membership.added,account.*' },
    after: {
      type: 'string',
      value: '<position>',
      about: 'begin behind this place of the feed; 0 for all that is kept',
    },
    from: { type: 'string', value: '<time>', about: 'of the first delivery, as in 2030-01-15T09:00:00Z' },
    to: { type: 'string', value: '<time>', about: 'before which the last one was queued' },
  },
  async run(context, { values, positionals }) {
    const verb = Object.entries(VERBS).find(([name]) => name === positionals[0])?.[1];
    if (verb === undefined) {
      for (const usage of USAGE) context.say(`usage: gatehouse events ${usage}`);
      return 2;
    }
    return verb(context, { ...values, word: positionals[1] });
  },
});

interface Request {
  /** The word after the verb. */
  readonly word: string | undefined;
  readonly port?: string | undefined;
  readonly secret?: string | undefined;
  readonly fail?: string | undefined;
  readonly type: string;
  readonly 'bad-signature': boolean;
  readonly old: boolean;
  readonly duplicate: boolean;
  readonly 'out-of-order': boolean;
  readonly account?: string | undefined;
  readonly types?: string | undefined;
  readonly after?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

async function listen(context: CommandContext, request: Request): Promise<number> {
  const stopped = interrupted();
  const port = numberIn(
    '--port',
    request.port ?? context.env['EVENTS_PORT'] ?? String(DEFAULT_EVENTS_PORT),
    [1, 65_535],
  );
  const failWith = request.fail === undefined ? undefined : numberIn('--fail', request.fail, [400, 599]);
  await using _listening = await startListening({
    port,
    secret: secretIn(request),
    failWith,
    say: context.say,
  }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new CommandError(`Something listens on port ${port} already: end it, or name another with --port.`);
  });
  context.say(`Events at http://127.0.0.1:${port}, until Ctrl-C.`);
  if (request.secret === undefined && request.port === undefined)
    context.say('While pnpm start runs, those of its account Acme Studio arrive here: rename it, and see.');
  await stopped;
  return 0;
}

async function send({ say }: CommandContext, request: Request): Promise<number> {
  const type = EVENT_TYPE_NAMES.find((name) => name === request.type);
  if (type === undefined) throw new CommandError(`--type: one of ${EVENT_TYPE_NAMES.join(', ')}`);
  if (request.word === undefined || parseUrl(request.word) === undefined)
    throw new CommandError('Name the address of the receiver, as in http://127.0.0.1:4030/');
  const isWell = await sendSample({
    url: request.word,
    type,
    secret: secretIn(request),
    hasBadSignature: request['bad-signature'],
    isOld: request.old,
    isDuplicate: request.duplicate,
    isOutOfOrder: request['out-of-order'],
    say,
  });
  return isWell ? 0 : 1;
}

/** Prints the feed as it grows, until it is interrupted. */
async function tail(context: CommandContext, request: Request): Promise<number> {
  const types = request.types?.split(',');
  if (types !== undefined && !areTypes(types))
    throw new CommandError('--types: there is no type of one of these names');
  const accountId = request.account === undefined ? undefined : numberIn('--account', request.account);
  const audience = accountId === undefined ? undefined : audienceKey('account', accountId);
  const given = request.after === undefined ? undefined : numberIn('--after', request.after, [0]);
  let isStopped = false;
  const stopped = interrupted().then(() => {
    isStopped = true;
  });
  return withDatabase(context, async (db) => {
    let after = given ?? (await findFeedEnd(db)) ?? 0;
    while (!isStopped) {
      const through = (await findFeedEnd(db)) ?? 0;
      const rows = await listEvents(db, { audience, types }, { after, through, limit: PAGE });
      for (const row of rows)
        context.say(
          `${String(row.position).padStart(8)}  ${eventLine(toEventView(row, accountId === undefined))}`,
        );
      after = rows.length === PAGE ? (rows.at(-1)?.position ?? through) : through;
      if (rows.length < PAGE) await Promise.race([stopped, pause(LOOK_AGAIN_MS)]);
    }
    return 0;
  });
}

/** Queues the deliveries of an endpoint between two moments again, with an audit line. */
async function redeliver(context: CommandContext, { word, from, to }: Request): Promise<number> {
  const endpointId = numberIn('The number of the endpoint', word ?? '');
  const [fromMs, toMs] = [from, to].map((time) => Date.parse(time ?? ''));
  if (fromMs === undefined || toMs === undefined || !(fromMs < toMs))
    throw new CommandError('--from and --to: two moments, as in 2030-01-15T09:00:00Z');
  return withDatabase(context, async (db) => {
    const isNew = await begin(db, context, { endpointId, fromMs, toMs });
    if (isNew === undefined) {
      context.say(`There is no endpoint ${endpointId}.`);
      return 1;
    }
    if (!isNew) context.say('A redelivery of this endpoint ran already; it goes on.');
    for (;;) {
      const { queued, redelivery } = await continueRedelivery(db, endpointId, Date.now());
      const { state, count } = redelivery ?? { state: 'stopped' as const, count: 0 };
      if (state === 'done') {
        context.say(`${count} deliveries are queued again.`);
        return 0;
      }
      if (state === 'stopped') {
        context.say(`${count} deliveries are queued again; the endpoint is switched off, disabled or gone.`);
        return 1;
      }
      if (queued === 0) {
        context.say(`${count} deliveries are queued again; a service queues the others as these arrive.`);
        return 0;
      }
      context.say(`${count} so far`);
    }
  });
}

/** Begins a redelivery, with its line in the audit log, unless one runs. Undefined if there is no such endpoint. */
async function begin(
  db: Database,
  context: CommandContext,
  { endpointId, fromMs, toMs }: { endpointId: number; fromMs: number; toMs: number },
): Promise<boolean | undefined> {
  const audit = operatorAudit(context);
  return db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { id: endpointId });
    if (endpoint === undefined) return undefined;
    const nowMs = Date.now();
    const { redelivery, isNew } = await beginRedelivery(tx, endpoint, { fromMs, toMs, nowMs });
    if (isNew) {
      const [from, to] = [redelivery.fromMs, redelivery.toMs].map((ms) => new Date(ms).toISOString());
      await recordAudit(tx, audit, {
        atMs: nowMs,
        action: 'endpoint.redelivered',
        ...(endpoint.accountId === null ? {} : { accountId: endpoint.accountId }),
        subjectKind: 'endpoint',
        subjectId: endpointId,
        after: { from, to },
      });
    }
    return isNew;
  });
}

/** @throws {CommandError} */
function numberIn(name: string, text: string, [least, most]: [number, number?] = [1]): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= (most ?? Number.MAX_SAFE_INTEGER)) return number;
  throw new CommandError(`${name}: a whole number${most === undefined ? '' : ` from ${least} to ${most}`}`);
}

/** @throws {CommandError} */
function secretIn({ secret = DEMONSTRATION_EVENT_SECRET }: Request): string {
  if (SECRET.test(secret)) return secret;
  throw new CommandError('--secret: that of an endpoint, which begins with whsec_');
}

function areTypes(names: readonly string[]): boolean {
  try {
    typesOf(names);
    return true;
  } catch {
    return false;
  }
}
