import { and, asc, eq, exists, gt, inArray, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { ApplicationType } from '../tables/application-tables.js';
import type { AccessTransaction } from './change-access.js';
import { inIds } from './paging.js';

/** What a member lets an application do. */
export interface ConsentRow {
  readonly id: number;
  readonly memberId: number;
  readonly applicationId: number;
  /** Null for an application that acts in no account. */
  readonly accountId: number | null;
  /** The API of the product that the application calls; null for this service. */
  readonly resourceId: number | null;
  readonly scopes: string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When the application last called for the member; null if it never did. */
  readonly lastUsedAtMs: number | null;
}

/** A consent with the application and the member. */
export interface ConnectedApplication extends ConsentRow {
  readonly member: { readonly firstName: string; readonly lastName: string; readonly username: string };
  readonly name: string;
  readonly type: ApplicationType;
  readonly clientId: string;
  /** The API of the product that it calls; null for this service. */
  readonly api: { readonly name: string; readonly origin: string } | null;
  /** The account that publishes the application; null for one of the deployment. */
  readonly publisherId: number | null;
}

/** The consents of a member to an application, newest first. */
export async function listConsentsTo(
  db: Database,
  { memberId, applicationId }: { readonly memberId: number; readonly applicationId: number },
): Promise<ConsentRow[]> {
  const { consents } = db.tables;
  const rows = await db
    .select()
    .from(consents)
    .where(and(eq(consents.memberId, memberId), eq(consents.applicationId, applicationId)))
    .limit(1_000);
  return rows.toSorted((a, b) => b.updatedAtMs - a.updatedAtMs || b.id - a.id);
}

export async function findConsent(db: Database, id: number): Promise<ConsentRow | undefined> {
  const { consents } = db.tables;
  const [row] = await db.select().from(consents).where(eq(consents.id, id));
  return row;
}

/** Whose applications are listed: those that act for a member, or those that act in an account, for members who may act there. */
export type ConnectedTo = { readonly memberId: number } | { readonly accountId: number };

/** The applications that act for a member or in an account, by ascending id of the consent. */
export async function listConnectedApplications(
  db: Database,
  { to, afterId, limit }: { to: ConnectedTo; afterId: number; limit: number },
): Promise<ConnectedApplication[]> {
  const { applications, consents, members, memberships, resources } = db.tables;
  const { id, applicationId, accountId, resourceId, scopes, createdAtMs, updatedAtMs, lastUsedAtMs } =
    consents;
  const isInAccount = db
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(
        eq(memberships.memberId, consents.memberId),
        eq(memberships.accountId, accountId),
        eq(memberships.active, true),
        eq(memberships.isDeleted, false),
      ),
    );
  return (
    db
      .select({
        id,
        memberId: consents.memberId,
        applicationId,
        accountId,
        resourceId,
        scopes,
        createdAtMs,
        updatedAtMs,
        lastUsedAtMs,
        name: applications.name,
        type: applications.type,
        clientId: applications.clientId,
        api: { name: resources.name, origin: resources.origin },
        publisherId: applications.accountId,
        member: { firstName: members.firstName, lastName: members.lastName, username: members.username },
      })
      .from(consents)
      .innerJoin(members, eq(members.id, consents.memberId))
      .innerJoin(
        applications,
        and(eq(applications.id, consents.applicationId), isNull(applications.removedAtMs)),
      )
      .leftJoin(resources, eq(resources.id, resourceId))
      // A consent at an API that is removed allows nothing.
      .where(
        and(
          'memberId' in to
            ? eq(consents.memberId, to.memberId)
            : and(eq(accountId, to.accountId), exists(isInAccount)),
          gt(id, afterId),
          or(isNull(resourceId), isNotNull(resources.id)),
        ),
      )
      .orderBy(asc(id))
      .limit(limit)
  );
}

/**
 * Sets which of some scopes a member lets an application have in an account at one API, and leaves the others as they are. The caller
 * has locked the member, so there is one consent.
 * @returns the id of the consent
 */
export async function saveConsent(
  tx: AccessTransaction,
  wanted: Omit<ConsentRow, 'id' | 'createdAtMs' | 'updatedAtMs' | 'lastUsedAtMs'> & {
    /** What the member was asked about. */
    readonly asked: readonly string[];
    readonly nowMs: number;
  },
): Promise<number> {
  const { consents } = tx.tables;
  const { memberId, applicationId, accountId, resourceId, asked, nowMs } = wanted;
  const known = (await listConsentsTo(tx, { memberId, applicationId })).find(
    (row) => row.accountId === accountId && row.resourceId === resourceId,
  );
  const others = known?.scopes.filter((scope) => !asked.includes(scope)) ?? [];
  const scopes = [...new Set([...others, ...wanted.scopes])];
  if (known === undefined)
    return tx.insert(consents, {
      memberId,
      applicationId,
      accountId,
      resourceId,
      scopes,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
  await tx.write(tx.update(consents).set({ scopes, updatedAtMs: nowMs }).where(eq(consents.id, known.id)));
  return known.id;
}

/** Removes a consent of a member, and with it what came from it. False if they have no such consent. */
export async function removeConsent(
  tx: AccessTransaction,
  { id, memberId }: { readonly id: number; readonly memberId: number },
): Promise<boolean> {
  const { consents, oauthArtifacts } = tx.tables;
  const isTheirs = and(eq(consents.id, id), eq(consents.memberId, memberId));
  if ((await tx.write(tx.delete(consents).where(isTheirs))) === 0) return false;
  const grants = await tx
    .select({ id: oauthArtifacts.id, digest: oauthArtifacts.digest })
    .from(oauthArtifacts)
    .where(eq(oauthArtifacts.consentId, id));
  if (grants.length === 0) return true;
  const digests = grants.map(({ digest }) => digest);
  await tx.write(tx.delete(oauthArtifacts).where(inArray(oauthArtifacts.grantDigest, digests)));
  await tx.write(
    tx.delete(oauthArtifacts).where(
      inArray(
        oauthArtifacts.id,
        grants.map((grant) => grant.id),
      ),
    ),
  );
  return true;
}

/** Removes a member's consents for applications in an account, and for the account's own applications. Returns them. */
export async function removeConsentsIn(
  tx: AccessTransaction,
  { memberId, accountId }: { readonly memberId: number; readonly accountId: number },
): Promise<ConsentRow[]> {
  const { applications, consents } = tx.tables;
  const published = tx
    .select({ id: applications.id })
    .from(applications)
    .where(eq(applications.accountId, accountId));
  const isThere = or(eq(consents.accountId, accountId), inArray(consents.applicationId, published));
  return removeConsents(tx, memberId, isThere);
}

/** Removes all consents of a member. */
export async function removeConsentsOf(tx: AccessTransaction, memberId: number): Promise<void> {
  await removeConsents(tx, memberId, undefined);
}

async function removeConsents(
  tx: AccessTransaction,
  memberId: number,
  where: SQL | undefined,
): Promise<ConsentRow[]> {
  const { consents } = tx.tables;
  const rows = await tx
    .select()
    .from(consents)
    .where(and(eq(consents.memberId, memberId), where));
  for (const { id } of rows) await removeConsent(tx, { id, memberId });
  return rows;
}

/** Writes when applications last called for members. A later time stays. */
export async function touchConsents(db: Database, ids: readonly number[], nowMs: number): Promise<void> {
  const { consents } = db.tables;
  const { id, lastUsedAtMs } = consents;
  const isEarlier = or(isNull(lastUsedAtMs), lt(lastUsedAtMs, nowMs));
  await db.write(
    db
      .update(consents)
      .set({ lastUsedAtMs: nowMs })
      .where(and(inIds(db, id, ids), isEarlier)),
  );
}
