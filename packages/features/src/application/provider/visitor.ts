import { AppError } from '@gatehouse/auth-core';
import type { AccessReader } from '../../core/access/access-reader.js';
import type { Context } from '../../core/context.js';
import { type Caller, recognise, requireInPerson } from '../../core/guard/caller.js';
import { hasLevel } from '../../core/guard/level.js';

/** A person at one of the pages that applications lead to, by the session in their browser's cookie. */
export type Visitor = Caller & { readonly familyId: number };

/**
 * The visitor of a page, whom links of other sites may lead here; undefined without a session that they began themselves and that
 * has the level their work needs. What they decide here they decide with a form of our own.
 */
export async function findVisitor(ctx: Context, access: AccessReader): Promise<Visitor | undefined> {
  const { call, services } = ctx;
  const sent = services.cookies.readSession(call.header('cookie'));
  if (sent?.kind !== 'session') return undefined;
  const opened = services.tokens.openSession(sent.token);
  const caller = opened && (await recognise(ctx, access, opened, 'session'));
  const familyId = caller?.session.familyId;
  if (caller === undefined || familyId === undefined || !hasLevel(ctx, caller)) return undefined;
  const { partnerId, impersonation, recoveryId, sso } = caller.session;
  const isTheirOwn =
    sso?.isNarrow !== true &&
    partnerId === undefined &&
    impersonation === undefined &&
    recoveryId === undefined;
  return isTheirOwn ? { ...caller, familyId } : undefined;
}

/**
 * The visitor of a page who must be signed in.
 * @throws {AppError} `unauthorized`
 */
export async function requireVisitor(ctx: Context, access: AccessReader): Promise<{ caller: Visitor }> {
  const caller = await findVisitor(ctx, access);
  if (caller === undefined) throw new AppError('unauthorized');
  requireInPerson(caller);
  return { caller };
}

/** What the provider calls a visitor's session, and whose it is. */
export function sessionUid({ familyId, memberId }: Visitor): string {
  return `${familyId}.${memberId}`;
}

/** The session and the member that such a name stands for. */
export function visitorOfUid(uid: string): Pick<Visitor, 'familyId' | 'memberId'> | undefined {
  const [, familyId, memberId] = /^(\d+)\.(\d+)$/.exec(uid) ?? [];
  return familyId === undefined ? undefined : { familyId: Number(familyId), memberId: Number(memberId) };
}

/** When a visitor last said who they are, in epoch milliseconds. */
export function authenticatedAtMs({ verifiedAtMs, authTimeMs, issuedAtMs }: Caller['session']): number {
  return verifiedAtMs ?? authTimeMs ?? issuedAtMs;
}
