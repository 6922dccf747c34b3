import type { AccountState, PartnerRow, PartnerState, PartnerTokenClaim, TokenState } from '@gatehouse/db';
import type { MemberSnapshot } from './member-snapshot.js';

/** The data guards judge by: the membership cache or, inside a writer's transaction, the locked rows. */
export interface AccessReader {
  /** Resolves once every change committed before this call is visible. */
  current(): Promise<void>;
  member(memberId: number): Promise<MemberSnapshot | undefined>;
  token(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  account(accountId: number): Promise<AccountState | undefined>;
  /** Several accounts at once. Unknown ones are absent. */
  accounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** Whether a partner's tokens and the sessions it began still count. */
  partner(partnerId: number): Promise<PartnerState | undefined>;
  /** The partner a token stands for at this moment. */
  partnerOfToken(claim: PartnerTokenClaim): Promise<PartnerRow | undefined>;
}
