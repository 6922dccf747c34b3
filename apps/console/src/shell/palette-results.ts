import type { StaffPermission } from '@gatehouse/client-sdk/admin';
import { askForRows } from '@gatehouse/ui/list/ask-for-rows';
import { gatehouse } from '../client.js';
import { type Me, mayAnywhere, mayAsStaff } from '../session/me.js';
import { t } from '../words.js';

const seesMembers = (me: Me): boolean => mayAnywhere(me, 'member.list');

const asStaff = (permission: StaffPermission) => (me: Me) => mayAsStaff(me, permission);

const always = (): boolean => true;

/** Every page of the sidebar and every action with an address, by name; `also` has the other names that people type. */
const JOBS = [
  {
    words: 'frame.overview',
    also: 'also.overview',
    to: { to: '/' },
    isFor: asStaff('audit.read'),
  },
  {
    words: 'frame.members',
    also: 'also.members',
    to: { to: '/members' },
    isFor: seesMembers,
  },
  { words: 'help.title', also: 'also.help', to: { to: '/help' }, isFor: seesMembers },
  {
    words: 'job.banned',
    also: 'also.banned',
    to: { to: '/members', search: { state: 'banned' } },
    isFor: seesMembers,
  },
  { words: 'job.bulk', also: 'also.bulk', to: { to: '/bulk' }, isFor: seesMembers },
  {
    words: 'frame.accounts',
    also: 'also.accounts',
    to: { to: '/accounts' },
    isFor: (me: Me) => mayAnywhere(me, 'account.read'),
  },
  { words: 'job.mail', also: 'also.mail', to: { to: '/mail' }, isFor: seesMembers },
  {
    words: 'job.failedMail',
    also: 'also.mail',
    to: { to: '/mail', search: { state: 'failed' } },
    isFor: seesMembers,
  },
  {
    words: 'frame.audit',
    also: 'also.audit',
    to: { to: '/audit' },
    isFor: asStaff('audit.read'),
  },
  {
    words: 'frame.deleted',
    also: 'also.deleted',
    to: { to: '/deleted' },
    isFor: (me: Me) => me.allAccounts,
  },
  {
    words: 'job.staff',
    also: 'also.staff',
    to: { to: '/staff' },
    isFor: asStaff('personnel.read'),
  },
  {
    words: 'staff.add',
    also: 'also.staff',
    to: { to: '/staff/new' },
    isFor: asStaff('personnel.manage'),
  },
  {
    words: 'job.partners',
    also: 'also.partners',
    to: { to: '/partners' },
    isFor: asStaff('partner.manage'),
  },
  {
    words: 'partners.add',
    also: 'also.partners',
    to: { to: '/partners/new' },
    isFor: asStaff('partner.manage'),
  },
  {
    words: 'frame.webhooks',
    also: 'also.webhooks',
    to: { to: '/webhooks' },
    isFor: asStaff('webhook.read'),
  },
  {
    words: 'job.failedWebhooks',
    also: 'also.webhooks',
    to: { to: '/webhooks', search: { status: 'failed' } },
    isFor: asStaff('webhook.read'),
  },
  {
    words: 'job.affiliates',
    also: 'also.affiliates',
    to: { to: '/affiliates' },
    isFor: asStaff('affiliate.read'),
  },
  {
    words: 'frame.singleSignOn',
    also: 'also.singleSignOn',
    to: { to: '/single-sign-on' },
    isFor: asStaff('platformSso.manage'),
  },
  {
    words: 'job.endingCertificates',
    also: 'also.singleSignOn',
    to: { to: '/single-sign-on', search: { state: 'ending', sort: 'certificatesEndAt' } },
    isFor: asStaff('platformSso.manage'),
  },
  {
    words: 'job.staffSso',
    also: 'also.singleSignOn',
    to: { to: '/single-sign-on/staff' },
    isFor: asStaff('platformSso.manage'),
  },
  {
    words: 'job.keys',
    also: 'also.keys',
    to: { to: '/developers' },
    isFor: asStaff('platformKey.manage'),
  },
  {
    words: 'job.endpoints',
    also: 'also.endpoints',
    to: { to: '/developers/endpoints' },
    isFor: asStaff('platformEvent.manage'),
  },
  {
    words: 'job.applications',
    also: 'also.applications',
    to: { to: '/developers/applications' },
    isFor: asStaff('platformApp.manage'),
  },
  {
    words: 'job.apis',
    also: 'also.apis',
    to: { to: '/developers/apis' },
    isFor: (me: Me) => me.allAccounts,
  },
  { words: 'job.me', also: 'also.me', to: { to: '/me' }, isFor: always },
  { words: 'job.enrol', also: 'also.enrol', to: { to: '/enrol' }, isFor: always },
  { words: 'job.signOut', also: 'also.signOut', to: undefined, isFor: always },
] as const;

export type Job = (typeof JOBS)[number];

/** Whether a text has each of the typed words, in any order. */
export function hasWords(text: string, typed: string): boolean {
  const within = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** The pages and actions with all of the typed words in their names. Those that are not permitted are not there. */
export function jobsFor(me: Me, text: string): readonly Job[] {
  return JOBS.filter(
    ({ words, also, isFor }) => isFor(me) && hasWords(`${t(words)} ${t(also)}`, text.trim()),
  );
}

const KINDS = { m: 'members', a: 'accounts', p: 'partners' } as const;

type PaletteKind = (typeof KINDS)[keyof typeof KINDS];

/** The typed text: `a:`, `m:` and `p:` narrow the search, and `#42` is an id. */
interface PaletteSearch {
  readonly text: string;
  /** The only kind to search; absent if all are. */
  readonly kind?: PaletteKind;
  readonly isId: boolean;
}

export function readPaletteText(typed: string): PaletteSearch {
  const [, letter, rest = ''] = /^\s*(?:([map]):)?(.*)$/isu.exec(typed) ?? [];
  const text = rest.trim();
  const isId = /^#\d+$/.test(text);
  const kind = letter === undefined ? undefined : KINDS[lettered(letter)];
  return { text: isId ? text.slice(1) : text, isId, ...(kind === undefined ? {} : { kind }) };
}

const lettered = (letter: string) =>
  letter.toLowerCase() === 'a' ? 'a' : letter.toLowerCase() === 'p' ? 'p' : 'm';

/** The id of a request, as logs and failures name it, if the text may be one; names of people are hardly as long. */
export function requestIdIn(typed: string): string | undefined {
  return /^(?=.*\d)[a-z0-9][\w.-]{15,63}$/i.exec(typed.trim())?.[0];
}

/** The number of results of each kind. */
const FEW = 5;

/** There are few partners, and no search for them. */
const ALL_PARTNERS = 200;

/** Searches all requested and permitted kinds in one request. */
export async function findAnything(
  { text, kind, isId }: PaletteSearch,
  may: Readonly<Record<PaletteKind, boolean>>,
  signal: AbortSignal,
) {
  const { member, account, partner } = gatehouse.api;
  const isMeant = (each: PaletteKind) => may[each] && (kind ?? each) === each;
  const limit = isId ? 1 : FEW;
  const some = { search: text, limit: FEW };
  const fits = ({ id }: { readonly id: number }) => !isId || String(id) === text;
  const [members, accounts, partners] = await Promise.all([
    isMeant('members') ? askForRows((page) => member.search.query({ ...some, ...page }, { signal })) : NONE,
    isMeant('accounts') ? askForRows((page) => account.search.query({ ...some, ...page }, { signal })) : NONE,
    isMeant('partners') ? partner.list.query({ limit: ALL_PARTNERS }, { signal }) : NONE,
  ]);
  const isNamed = ({ name }: { readonly name: string }) => isId || hasWords(name, text);
  return {
    members: members.data.filter(fits).slice(0, limit),
    accounts: accounts.data.filter(fits).slice(0, limit),
    partners: partners.data.filter((each) => fits(each) && isNamed(each)).slice(0, FEW),
  };
}

const NONE = { data: [] } as const;
