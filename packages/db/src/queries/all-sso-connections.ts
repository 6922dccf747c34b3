import { and, asc, desc, eq, gt, isNotNull, isNull, lt, lte, ne, notInArray, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import { contains } from './match-text.js';

/** A filter: active connections, those with untested changes, switched-off ones, or those whose certificates expire soon. */
type SsoConnectionState = 'on' | 'changed' | 'off' | 'ending';

interface SsoConnectionsAsked {
  /** Part of the name of the connection or its account; empty for any. */
  readonly search: string;
  readonly state: SsoConnectionState | undefined;
  readonly kind: 'oidc' | 'saml' | undefined;
  /** Certificates that expire before this instant expire soon. */
  readonly endingByMs: number;
  /** Accounts that are left out. */
  readonly except: readonly number[];
  readonly limit: number;
}

/** The end of a page: the expiry of the certificates and the id of its last row, or only the id in the other order. */
type AfterConnection = { readonly endsAtMs: number; readonly id: number } | { readonly id: number };

/** The connections of all open accounts: newest first, or those with certificates by the expiry of the last one. */
export function listAllSsoConnections(
  db: Database,
  { search, state, kind, endingByMs, except, limit }: SsoConnectionsAsked,
  { byCertificate, after }: { byCertificate: boolean; after: AfterConnection | undefined },
) {
  const { accounts, ssoConnections: own } = db.tables;
  const { id, certificatesEndAtMs: endsAtMs } = own;
  const isAfter =
    after === undefined
      ? undefined
      : 'endsAtMs' in after
        ? or(gt(endsAtMs, after.endsAtMs), and(eq(endsAtMs, after.endsAtMs), gt(id, after.id)))
        : lt(id, after.id);
  const isInState = {
    on: isNotNull(own.liveVersion),
    changed: ne(own.liveVersion, own.version),
    off: isNull(own.liveVersion),
    ending: lte(endsAtMs, endingByMs),
  };
  return db
    .select({ connection: own, accountName: accounts.name, sso: accounts.sso })
    .from(own)
    .innerJoin(accounts, eq(accounts.id, own.accountId))
    .where(
      and(
        eq(accounts.isDeleted, false),
        search === '' ? undefined : or(contains(own.name, search), contains(accounts.name, search)),
        state && isInState[state],
        kind && eq(own.kind, kind),
        except.length === 0 ? undefined : notInArray(own.accountId, [...except]),
        byCertificate ? isNotNull(endsAtMs) : undefined,
        isAfter,
      ),
    )
    .orderBy(...(byCertificate ? [asc(endsAtMs), asc(id)] : [desc(id)]))
    .limit(limit);
}

/** No member has more. */
const MOST_OF_MEMBER = 100;

/** The connections that know a member, in open accounts, by the last sign-in. */
export function listSsoConnectionsOf(
  db: Database,
  { memberId, except }: { memberId: number; except: readonly number[] },
) {
  const { accounts, members, ssoConnections, ssoSubjects } = db.tables;
  return db
    .select({
      connectionId: ssoConnections.id,
      name: ssoConnections.name,
      kind: ssoConnections.kind,
      liveVersion: ssoConnections.liveVersion,
      accountId: accounts.id,
      accountName: accounts.name,
      managedByAccountId: members.managedByAccountId,
      consentedAtMs: ssoSubjects.consentedAtMs,
      lastSignInAtMs: ssoSubjects.lastSignInAtMs,
    })
    .from(ssoSubjects)
    .innerJoin(ssoConnections, eq(ssoConnections.id, ssoSubjects.connectionId))
    .innerJoin(accounts, eq(accounts.id, ssoSubjects.accountId))
    .innerJoin(members, eq(members.id, ssoSubjects.memberId))
    .where(
      and(
        eq(ssoSubjects.memberId, memberId),
        eq(accounts.isDeleted, false),
        except.length === 0 ? undefined : notInArray(accounts.id, [...except]),
      ),
    )
    .orderBy(desc(ssoSubjects.lastSignInAtMs), desc(ssoSubjects.id))
    .limit(MOST_OF_MEMBER);
}
