import { emailKey, sha256Hex } from '@gatehouse/auth-core';
import { type Credential, findCredential, isActiveAt } from '@gatehouse/db';
import type { Services } from '../../core/app/services.js';

/** The holder of one-time passwords for a login name. */
export interface OneTimePasswordHolder {
  /** The member's id, or a unique negative number for an unknown name. */
  readonly id: number;
  /** The key of the address a one-time password is mailed to. */
  readonly emailKey: string;
  /** Absent if nobody may sign in this way. */
  readonly member: (Credential & { readonly email: string }) | undefined;
}

/**
 * The holder of a login name. Roles 0 and 1 and staff use one-time passwords. Every other name gets a holder
 * without mail or a matching password. It runs the same statements, so neither the answer nor its time
 * reveals known names.
 */
export async function findOneTimePasswordHolder(
  services: Services,
  login: string,
): Promise<OneTimePasswordHolder> {
  const key = emailKey(login);
  const found = await findCredential(services.db, key);
  const { admin, owner } = services.roles.id;
  const isEligible =
    found !== undefined &&
    isActiveAt(found, services.now()) &&
    (found.isPersonnel || found.roleType === admin || found.roleType === owner);
  if (isEligible && found.email !== null)
    return { id: found.id, emailKey: emailKey(found.email), member: { ...found, email: found.email } };
  return { id: -1 - Number.parseInt(sha256Hex(key).slice(0, 12), 16), emailKey: key, member: undefined };
}
