import type { Tables } from '../../tables/define-tables.js';

/** What may be read of a member where no credential is needed. */
export function memberColumns({ members }: Tables) {
  const { id, sid, username, firstName, lastName, email, roleType, role, isPersonnel, isDeleted } = members;
  const { emailConfirmedAtMs, createdAtMs, defaultPaymentId, sessionEpoch } = members;
  return {
    id,
    sid,
    username,
    firstName,
    lastName,
    email,
    roleType,
    role,
    isPersonnel,
    isDeleted,
    emailConfirmedAtMs,
    createdAtMs,
    defaultPaymentId,
    sessionEpoch,
  };
}

/** A member without any credential. */
export interface MemberRow {
  id: number;
  sid: string;
  username: string;
  firstName: string;
  lastName: string;
  email: string | null;
  roleType: number;
  role: string;
  isPersonnel: boolean;
  isDeleted: boolean;
  emailConfirmedAtMs: number | null;
  createdAtMs: number;
  defaultPaymentId: number;
  sessionEpoch: number;
}
