import type { AccountState, PartnerRow, PartnerState, PartnerTokenClaim, TokenState } from '@gatehouse/db';
import type { MemberSnapshot } from './member-snapshot.js';

/** What guards judge by: the directory, or inside a writer's transaction the rows it holds. */
export interface AccessReader {
  /** Resolves when every change committed before this call has been taken into account. */
  current(): Promise<void>;
  member(memberId: number): Promise<MemberSnapshot | undefined>;
  token(member: MemberSnapshot, tokenKey: string): Promise<TokenState>;
  account(accountId: number): Promise<AccountState | undefined>;
  /** Several accounts at once; those that do not exist are absent. */
  accounts(accountIds: readonly number[]): Promise<ReadonlyMap<number, AccountState>>;
  /** Whether what a partner was given, or has begun, still counts. */
  partner(partnerId: number): Promise<PartnerState | undefined>;
  /** The partner a token stands for at this moment. */
  partnerOfToken(claim: PartnerTokenClaim): Promise<PartnerRow | undefined>;
}
