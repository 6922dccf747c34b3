import { gatehouse } from '../client.js';

const KINDS = { m: 'members', a: 'accounts', p: 'partners' } as const;
export type PaletteKind = (typeof KINDS)[keyof typeof KINDS];

/** What somebody typed: `a:`, `m:` and `p:` narrow it, and `#42` is an id. */
export interface PaletteSearch {
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

/** So many of each kind are listed. */
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
  const fits = ({ id }: { readonly id: number }) => !isId || String(id) === text;
  const [members, accounts, partners] = await Promise.all([
    isMeant('members') ? member.search.query({ search: text, limit: FEW }, { signal }) : NONE,
    isMeant('accounts') ? account.search.query({ search: text, limit: FEW }, { signal }) : NONE,
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
