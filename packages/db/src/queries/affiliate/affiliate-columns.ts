import type { Tables } from '../../tables/define-tables.js';

/** The readable columns of an affiliate, with those of the member. */
export function affiliateColumns({ affiliates, members }: Tables) {
  const { memberId, code, commissionBasisPoints, payoutEmail, active, createdAtMs } = affiliates;
  const { username, firstName, lastName, email } = members;
  return {
    id: memberId,
    code,
    commissionBasisPoints,
    payoutEmail,
    active,
    createdAtMs,
    username,
    firstName,
    lastName,
    email,
  };
}

/** A member who recommends the service; the commission is in hundredths of a percent. */
export interface AffiliateRow {
  /** The member's id; a member is an affiliate at most once. */
  id: number;
  code: string;
  commissionBasisPoints: number;
  payoutEmail: string;
  active: boolean;
  createdAtMs: number;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
}
