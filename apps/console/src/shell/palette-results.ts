import type { StaffPermission } from '@gatehouse/client-sdk/admin';
import { askForRows } from '@gatehouse/ui/list/ask-for-rows';
import { gatehouse } from '../client.js';
import { type Me, mayAnywhere, mayAsStaff } from '../session/me.js';
import { t } from '../words.js';

const seesMembers = (me: Me): boolean => mayAnywhere(me, 'member.list');

const asStaff = (permission: StaffPermission) => (me: Me) => mayAsStaff(me, permission);

const JOBS = [
  { key: 'overview', words: 'job.overview', to: { to: '/' }, isFor: asStaff('audit.read') },
  { key: 'find', words: 'job.find', to: { to: '/members' }, isFor: seesMembers },
  { key: 'help', words: 'job.help', to: { to: '/help' }, isFor: seesMembers },
  {
    key: 'banned',
    words: 'job.banned',
    to: { to: '/members', search: { state: 'banned' } },
    isFor: seesMembers,
  },
  { key: 'mail', words: 'job.mail', to: { to: '/mail' }, isFor: seesMembers },
  {
    key: 'failed',
    words: 'job.failedMail',
    to: { to: '/mail', search: { state: 'failed' } },
    isFor: seesMembers,
  },
  { key: 'staff', words: 'job.staff', to: { to: '/staff' }, isFor: asStaff('personnel.read') },
  { key: 'addStaff', words: 'job.addStaff', to: { to: '/staff/new' }, isFor: asStaff('personnel.manage') },
  { key: 'partners', words: 'job.partners', to: { to: '/partners' }, isFor: asStaff('partner.manage') },
  {
    key: 'addPartner',
    words: 'job.addPartner',
    to: { to: '/partners/new' },
    isFor: asStaff('partner.manage'),
  },
  {
    key: 'failedWebhooks',
    words: 'job.failedWebhooks',
    to: { to: '/webhooks', search: { status: 'failed' } },
    isFor: asStaff('webhook.read'),
  },
  { key: 'affiliates', words: 'job.affiliates', to: { to: '/affiliates' }, isFor: asStaff('affiliate.read') },
  { key: 'me', words: 'job.me', to: { to: '/me' }, isFor: () => true },
] as const;

export type Job = (typeof JOBS)[number];

/** The jobs whose words have all of the letters typed. Those that are not permitted are not there. */
export function jobsFor(me: Me, text: string): readonly Job[] {
  const typed = text.trim().toLowerCase();
  return JOBS.filter(({ words, isFor }) => isFor(me) && t(words).toLowerCase().includes(typed));
}

const KINDS = { m: 'members', a: 'accounts', p: 'partners' } as const;

type PaletteKind = (typeof KINDS)[keyof typeof KINDS];

/** The typed text: `a:`, `m:` and `p:` narrow the search, and `#42` is an id. */
interface PaletteSearch {
  readonly text: string;
  /** The only kind that is meant; absent where any is. */
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

/** Asks for all kinds that are meant, and permitted, in one request. */
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
  const isNamed = ({ name }: { readonly name: string }) =>
    isId || name.toLowerCase().includes(text.toLowerCase());
  return {
    members: members.data.filter(fits).slice(0, limit),
    accounts: accounts.data.filter(fits).slice(0, limit),
    partners: partners.data.filter((each) => fits(each) && isNamed(each)).slice(0, FEW),
  };
}

const NONE = { data: [] } as const;
