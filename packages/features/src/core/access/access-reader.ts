import type { AccountState, PartnerRow, PartnerState, PartnerTokenClaim, TokenState } from '@gatehouse/db';
import type { MemberSnapshot } from './member-snapshot.js';

/** The data that guards check: from the caches or, inside a writer's transaction, from locked rows. */
export interface AccessReader {
  /** Resolves once every change committed before this call is visible. */
  current(): Promise<void>;
  member(memberId: number): Promise<MemberSnapshot | undefined>;
  token(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  /** The state of a token as it is now, even where it is known. */
  tokenAgain(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  account(accountId: number): Promise<AccountState | undefined>;
  /** Several accounts at once. Unknown ones are absent. */
  accounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** The same without locking them, for what their changes need not wait for. */
  knownAccounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** The open accounts that need a higher level of a session than this. */
  accountsAbove(level: number): Promise<ReadonlySet<number>>;
  /** Whether a partner's tokens and the sessions it began are still valid. */
  partner(partnerId: number): Promise<PartnerState | undefined>;
  /** The current partner of a token. */
  partnerOfToken(claim: PartnerTokenClaim): Promise<PartnerRow | undefined>;
}
