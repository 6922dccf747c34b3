import { emailKey, sha256Hex } from '@gatehouse/auth-core';
import { type Credential, findCredential } from '@gatehouse/db';
import type { Services } from '../app/services.js';

/** Whose one-time passwords a login name leads to. */
export interface OneTimePasswordHolder {
  /** The member's id, or a negative number of its own for a name that leads to nobody. */
  readonly id: number;
  /** Absent where there is nobody who may sign in this way. */
  readonly member: (Credential & { readonly email: string }) | undefined;
}

/**
 * The holder behind a login name. Roles 0 and 1 and staff sign in with one-time passwords; every other name gets a
 * holder that no mail reaches and no password matches, but that takes the same way through the database, so that
 * neither an answer nor its time tells which names are known.
 */
export async function findOneTimePasswordHolder(
  services: Services,
  login: string,
): Promise<OneTimePasswordHolder> {
  const key = emailKey(login);
  const found = await findCredential(services.db, key);
  const { admin, archived, owner } = services.roles.id;
  const isEligible =
    found !== undefined &&
    !found.isDeleted &&
    found.roleType !== archived &&
    (found.isPersonnel || found.roleType === admin || found.roleType === owner);
  if (isEligible && found.email !== null) return { id: found.id, member: { ...found, email: found.email } };
  return { id: -1 - Number.parseInt(sha256Hex(key).slice(0, 12), 16), member: undefined };
}
