import { sealCursor } from '@gatehouse/http/page';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import type { LoadRequest } from '../measure.js';

/** One row of the table: the caller, and the requests in turn. */
export interface ListRequests {
  readonly name: string;
  /** The service that is asked. */
  readonly service: 'main' | 'admin';
  readonly caller: BenchCaller;
  readonly requests: readonly LoadRequest[];
}

/** Texts that very many, some, few and none of the generated members match. */
const COMMON = ['a', 'o', 'an', 'ar', '.', 'ma'];

const SELECTIVE = ['ferrari', 'lindqvist', 'a.rossi', 'nakamura1', 'yilmaz77'];

const RARE = ['o12345', 'i98765', 'z4711', 'oe.zeman9', 'berg55555'];

const NONE = ['zzq', 'q', 'xx', '%', '_a_', 'nobody.of.that.name'];

const DEEP_IDS = [250_000, 400_000, 500_000, 650_000, 800_000, 950_000];

/** Members with a history, by how many come before them. */
const BUSY = [0, 7, 23, 48, 71, 99];

const ACCOUNT_IDS = [1_000, 20_000, 75_000, 120_000, 190_000];

const DEEP_NAMES = ['fischer', 'jensen labs', 'marsh music', 'petrov', 'silva motors zoe', 'wagner'];

const PREFIXES = [
  '',
  'b',
  'la',
  'mar',
  'marsh ',
  'okafor studio',
  'zeman tools zoe',
  '%',
  'nothing of the kind',
];

/** The rows of `docs/performance.md`, over a database filled by `seed-load`. */
export function listRequests({ root, owner, staff }: SignedIn, longestConversation: number): ListRequests[] {
  const { search, members } = memberRequests;
  const row = (name: string, caller: BenchCaller, requests: readonly LoadRequest[]) => ({
    name,
    service: 'main' as const,
    caller,
    requests,
  });
  const page = (name: string, caller: BenchCaller, paths: readonly string[]) => ({
    name,
    service: 'admin' as const,
    caller,
    requests: paths.map((path) => ({ path })),
  });
  const largest = 'largest account';
  return [
    row('member list, all members, first page', root, [members()]),
    row(
      'member list, all members, deep pages',
      root,
      DEEP_IDS.map((id) => members([id])),
    ),
    row(`member list, ${largest}, first page`, owner, [members()]),
    row(
      `member list, ${largest}, deep pages`,
      owner,
      [201_000, 203_000, 205_000, 207_000, 209_000].map((id) => members([id])),
    ),
    row('member list, 200 granted accounts', staff, [members(), ...DEEP_IDS.map((id) => members([id]))]),
    row(
      'words, all members, very many have it',
      root,
      COMMON.map((text) => search(text)),
    ),
    row(
      'words, all members, some have it',
      root,
      SELECTIVE.map((text) => search(text)),
    ),
    row(
      'words, all members, few have it',
      root,
      RARE.map((text) => search(text)),
    ),
    row(
      'words, all members, none has it',
      root,
      NONE.map((text) => search(text)),
    ),
    row(
      'words, all members, deep pages',
      root,
      DEEP_IDS.map((id) => search('a', [id])),
    ),
    row(
      `words, ${largest}, very many have it`,
      owner,
      COMMON.map((text) => search(text)),
    ),
    row(
      `words, ${largest}, some have it`,
      owner,
      SELECTIVE.map((text) => search(text)),
    ),
    row(
      `words, ${largest}, none has it`,
      owner,
      NONE.map((text) => search(text)),
    ),
    row(
      'words, 200 granted accounts',
      staff,
      [...COMMON, ...SELECTIVE, ...NONE].map((text) => search(text)),
    ),
    row(
      'account names, all accounts, first page',
      root,
      PREFIXES.map((text) => accounts(text)),
    ),
    row(
      'account names, all accounts, deep pages',
      root,
      DEEP_NAMES.map((name) => accounts('', [name, 0])),
    ),
    row(
      'account names, 200 granted accounts',
      staff,
      PREFIXES.map((text) => accounts(text)),
    ),
    row(
      'member detail',
      owner,
      [200_020, 202_345, 204_567, 206_789, 209_876].map((id) => ({ path: `/getUserdetail${id}` })),
    ),
    row(`conversations, ${largest}, first page`, owner, [conversations()]),
    row(
      `conversations, ${largest}, deep pages`,
      owner,
      [202_000, 206_000, 210_000, 215_000].map((id) => conversations([id])),
    ),
    row('messages of a conversation, first page', owner, [messages(owner, longestConversation)]),
    row(
      'messages of a conversation, deep pages',
      owner,
      [650_000, 675_000, 690_000].map((id) => messages(owner, longestConversation, [id])),
    ),
    page('member page, with a history', root, memberPages(BUSY.map((seat) => owner.userId + seat))),
    page('member page, 200 granted accounts', staff, memberPages([owner.userId])),
    page('member page, others', root, memberPages(DEEP_IDS)),
    page(`account page, ${largest}`, root, accountPages([owner.accountId ?? 0])),
    page(`account page, ${largest}, 200 granted accounts`, staff, accountPages([owner.accountId ?? 0])),
    page('account page, others', root, accountPages(ACCOUNT_IDS)),
  ];
}

const memberPages = (ids: readonly number[]) => ids.map((id) => `/v1/member/page?memberId=${id}`);

const accountPages = (ids: readonly number[]) => ids.map((id) => `/v1/account/page?accountId=${id}`);

const memberRequests = {
  members: (after?: readonly number[]): LoadRequest => ({ path: `/getAllMemberslist?${cursorQuery(after)}` }),
  search: (username: string, after?: readonly number[]): LoadRequest => ({
    path: '/searchAllMembers',
    body: { username, ...cursorField(after) },
  }),
};

function accounts(search: string, after?: readonly (string | number)[]): LoadRequest {
  return { path: '/searchAccountUser', body: { search, ...cursorField(after) } };
}

function conversations(before?: readonly number[]): LoadRequest {
  return { path: `/getAllConversationlist?${cursorQuery(before)}` };
}

function messages({ userId }: BenchCaller, conversationId: number, after?: readonly number[]): LoadRequest {
  return {
    path: `/getMemberschatMessages?memberId=${userId}&conversationId=${conversationId}&${cursorQuery(after)}`,
  };
}

function cursorQuery(key: readonly (string | number)[] | undefined): string {
  return new URLSearchParams(cursorField(key)).toString();
}

function cursorField(key: readonly (string | number)[] | undefined): { cursor?: string } {
  return key === undefined ? {} : { cursor: sealCursor(key) };
}

/** The service's answer to the first request of a row. */
export async function sampleAnswer(origin: string, { caller, requests }: ListRequests): Promise<unknown> {
  const [first] = requests;
  if (first === undefined) throw new Error('A row has at least one request');
  const response = await fetch(`${origin}${first.path}`, {
    headers: { ...caller.headers, ...(first.body ? { 'content-type': 'application/json' } : {}) },
    ...(first.body ? { method: 'POST', body: JSON.stringify(first.body) } : {}),
  });
  if (!response.ok) throw new Error(`${first.path}: ${response.status}`);
  return z.unknown().parse(await response.json());
}

/** A signed-in caller, with the headers of their requests. */
interface BenchCaller {
  readonly headers: Record<string, string>;
  readonly userId: number;
  /** The account they signed in to. */
  readonly accountId: number | null;
}

/** The measured callers: staff of base role 0, the owner of the largest account, staff with many grants. */
export interface SignedIn {
  readonly root: BenchCaller;
  readonly owner: BenchCaller;
  readonly staff: BenchCaller;
}

const answer = z.object({ token: z.string(), userId: z.number(), accountId: z.number().nullable() });

/** Signs in a generated or demonstration member, to act in the login's account or in none. */
export async function signInAs(
  origin: string,
  email: string,
  { inAccount }: { inAccount: boolean },
): Promise<BenchCaller> {
  const response = await fetch(`${origin}/webauthenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMONSTRATION_PASSWORD }),
  });
  if (!response.ok) throw new Error(`${email} could not sign in: ${response.status}`);
  const { token, userId, accountId } = answer.parse(await response.json());
  return { userId, accountId, headers: { token, ...(inAccount ? { accountid: String(accountId) } : {}) } };
}
