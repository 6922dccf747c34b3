import type { ListedMember } from '@gatehouse/db';
import { z } from 'zod';

/**
 * A member as every endpoint returns one. What is not listed here (hashes, one-time passwords, provider
 * tokens) cannot leave, because the schema of the answer does not have it.
 */
export const memberView = z
  .object({
    id: z.int(),
    sid: z.string(),
    username: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().nullable(),
    role_type: z.int(),
    role: z.string(),
    emailVerified: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Member' });

export type MemberView = z.output<typeof memberView>;

export function toMemberView(row: ListedMember): MemberView {
  return {
    id: row.id,
    sid: row.sid,
    username: row.username,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    role_type: row.roleType,
    role: row.role,
    emailVerified: row.emailConfirmedAtMs !== null,
    createdAt: new Date(row.createdAtMs).toISOString(),
  };
}
