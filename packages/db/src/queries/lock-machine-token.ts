import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.js';
import { lockRows } from './lock-rows.js';

/** What the access token of an application that acts as its machine rests on. */
export interface MachineTokenKeys {
  readonly tokenDigest: string;
  /** The machine. */
  readonly memberId: number;
  readonly applicationId: number;
}

/**
 * Locks what the token of a machine depends on, except the machine, until the transaction ends. The caller has locked the
 * machine, as revoking the token does.
 * @returns the scopes that the application may have now; undefined if the token is no longer valid
 */
export async function lockMachineToken(
  tx: Database,
  { tokenDigest, memberId, applicationId }: MachineTokenKeys,
): Promise<readonly string[] | undefined> {
  const { applications, oauthArtifacts } = tx.tables;
  const isApplication = eq(applications.id, applicationId);
  await lockRows(tx, applications, { column: applications.createdAtMs, where: isApplication, mode: 'share' });
  const isToken = and(eq(oauthArtifacts.model, 'ClientCredentials'), eq(oauthArtifacts.digest, tokenDigest));
  await lockRows(tx, oauthArtifacts, { column: oauthArtifacts.createdAtMs, where: isToken, mode: 'share' });
  const tokens = await tx.select({ id: oauthArtifacts.id }).from(oauthArtifacts).where(isToken);
  if (tokens.length === 0) return undefined;
  const isActive = and(eq(applications.active, true), isNull(applications.removedAtMs));
  const [application] = await tx
    .select({ scopes: applications.scopes })
    .from(applications)
    .where(and(isApplication, isActive, eq(applications.machineId, memberId)));
  return application?.scopes;
}
