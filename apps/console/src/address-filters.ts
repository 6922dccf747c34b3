/** The orders of the list of accounts; a leading minus stands for descending. */
export const ACCOUNT_SORTS = ['name', '-name', '-id', 'id'] as const;

/** The search for accounts. It is in the address, so that Back and a link restore it. */
interface AccountFilters {
  readonly q?: string;
  readonly sort?: (typeof ACCOUNT_SORTS)[number];
}

/** The filters in an address, without unknown ones. */
export function readAccountFilters({ sort, ...searched }: Record<string, unknown>): AccountFilters {
  const order = ACCOUNT_SORTS.find((each) => each === sort);
  return { ...readSearched(searched), ...(order === undefined ? {} : { sort: order }) };
}

export const DELETED = ['deleting', 'deleted', 'accounts'] as const;

type Deleted = (typeof DELETED)[number];

/** The kind of deleted entries that an address names; by default members who deleted themselves. */
export function readDeletedFilter({ of }: Record<string, unknown>): { readonly of?: Deleted } {
  const known = DELETED.find((each) => each === of);
  return known === undefined || known === 'deleting' ? {} : { of: known };
}

export const MAIL_STATES = ['queued', 'sent', 'failed', 'held'] as const;

export type MailState = (typeof MAIL_STATES)[number];

/** The mails that an address names; without a state, all of them. */
export function readMailFilter({ state, kind, ...searched }: Record<string, unknown>): {
  readonly q?: string;
  readonly state?: MailState;
  readonly kind?: string;
} {
  const known = MAIL_STATES.find((each) => each === state);
  return {
    ...readSearched(searched),
    ...(known === undefined ? {} : { state: known }),
    ...(typeof kind === 'string' && /^\w{1,64}$/.test(kind) ? { kind } : {}),
  };
}

export const TRAILS = ['security', 'about', 'by'] as const;

type Trail = (typeof TRAILS)[number];

/** The part of a member's trail to show: the security events unless the address names another. */
export function readTrailFilter({ of }: Record<string, unknown>): { readonly of?: Trail } {
  const known = TRAILS.find((each) => each === of);
  return known === undefined || known === 'security' ? {} : { of: known };
}

export const WEBHOOK_STATUSES = ['failed', 'received', 'processed', 'ignored', 'rejected'] as const;

type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** The deliveries that an address names; without a status, all of them. */
export function readWebhookFilter({ status }: Record<string, unknown>): { readonly status?: WebhookStatus } {
  const known = WEBHOOK_STATUSES.find((each) => each === status);
  return known === undefined ? {} : { status: known };
}

/** The search in a list. It is in the address, so that Back and a link restore it. */
export function readSearched({ q }: Record<string, unknown>): { readonly q?: string } {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return text === '' ? {} : { q: text };
}

/** The number of days that the figures cover, and the size of their buckets. */
export const SPANS = { 7: 'day', 28: 'day', 364: 'week' } as const;

export type Span = keyof typeof SPANS;

/** The span of time that an address names. */
export function readSpan({ days }: Record<string, unknown>): { readonly days?: Span } {
  const known = ([7, 28, 364] as const).find((each) => String(each) === String(days));
  return known === undefined ? {} : { days: known };
}

export const CONNECTION_STATES = ['on', 'changed', 'off', 'ending'] as const;

/** The search for connections with identity providers. It is in the address, so that Back and a link restore it. */
interface ConnectionFilters {
  readonly q?: string;
  readonly state?: (typeof CONNECTION_STATES)[number];
  readonly kind?: 'oidc' | 'saml';
  readonly sort?: 'certificatesEndAt';
}

/** The connections that an address names; without a state, all of them. */
export function readConnectionFilters({
  state,
  kind,
  sort,
  ...searched
}: Record<string, unknown>): ConnectionFilters {
  const known = CONNECTION_STATES.find((each) => each === state);
  return {
    ...readSearched(searched),
    ...(known === undefined ? {} : { state: known }),
    ...(kind === 'oidc' || kind === 'saml' ? { kind } : {}),
    ...(sort === 'certificatesEndAt' ? { sort } : {}),
  };
}
