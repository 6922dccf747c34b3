import { showsUtc } from '@gatehouse/ui/screen/shown-time';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Spans of time until now, in milliseconds. */
export const RANGES = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

/** The filters of the audit log. They are in the address. */
export interface AuditFilters {
  /** The subject, as `member/3`. */
  readonly subject?: string;
  /** The actor's id. */
  readonly actor?: number;
  readonly account?: number;
  readonly action?: string;
  /** The id of the request that did it. */
  readonly request?: string;
  /** The span of time until now; absent with days of one's own. */
  readonly last?: keyof typeof RANGES;
  /** Days, as `2026-11-23`, both of them included. */
  readonly from?: string;
  readonly until?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LONGEST = 64;

/** The filters in an address, without those that the service would refuse. */
export function readAuditFilters(named: Record<string, unknown>): AuditFilters {
  const subject = textOf(named['subject']);
  const action = textOf(named['action']);
  const request = textOf(named['request']);
  const actor = readId(named['actor']);
  const account = readId(named['account']);
  const from = dayOf(named['from']);
  const until = dayOf(named['until']);
  const isOwnSpan = from !== undefined || until !== undefined;
  const last = isOwnSpan ? undefined : rangeOf(named['last']);
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(account === undefined ? {} : { account }),
    ...(action === undefined ? {} : { action }),
    ...(request === undefined ? {} : { request }),
    ...(last === undefined ? {} : { last }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
}

const rangeOf = (value: unknown): AuditFilters['last'] =>
  (['hour', 'day', 'week', 'month'] as const).find((each) => each === value);

/** Whether the log can be filtered by a text of the field for what was changed. */
export const isSubject = (text: string): boolean =>
  text.length <= LONGEST && /^[a-z][\w.-]*(\/.+)?$/i.test(text);

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > LONGEST ? undefined : text;
}

/** An id that the log can be filtered by, with or without its number sign. */
export function readId(value: unknown): number | undefined {
  const number = Number(textOf(value)?.replace(/^#/, ''));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function dayOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The filters in the service's form, at this moment; days are those of the shown times. */
export function askedBy({ subject, actor, account, action, request, last, from, until }: AuditFilters) {
  const [kind = '', ...rest] = subject?.split('/') ?? [];
  const id = rest.join('/');
  return {
    ...(kind === '' ? {} : { subjectKind: kind }),
    ...(id === '' ? {} : { subjectId: id }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(account === undefined ? {} : { accountId: account }),
    ...(action === undefined ? {} : { action }),
    ...(request === undefined ? {} : { requestId: request }),
    ...(last === undefined ? {} : { from: new Date(Date.now() - RANGES[last]).toISOString() }),
    ...(from === undefined ? {} : { from: startOf(from).toISOString() }),
    ...(until === undefined ? {} : { until: dayAfter(until).toISOString() }),
  };
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00${showsUtc() ? 'Z' : ''}`);
}

function dayAfter(day: string): Date {
  const date = startOf(day);
  if (showsUtc()) date.setUTCDate(date.getUTCDate() + 1);
  else date.setDate(date.getDate() + 1);
  return date;
}
