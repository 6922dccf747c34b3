import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DEPLOYMENT_SCOPE, type EndpointRow, findEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { audienceKey } from '@gatehouse/db/queries/events';
import type { Caller } from '../core/guard/caller.js';
import type { CallingPartner } from '../core/guard/service-callers.js';

/** Whose endpoints a call is about: those of an account, of a partner, or of the deployment. */
export type EndpointScope = Pick<EndpointRow, 'scope' | 'accountId' | 'partnerId'>;

export const DEPLOYMENT: EndpointScope = { scope: DEPLOYMENT_SCOPE, accountId: null, partnerId: null };

export const isDeployment = ({ scope }: Pick<EndpointScope, 'scope'>): boolean => scope === DEPLOYMENT_SCOPE;

export const scopeOf = (accountId: number): EndpointScope => ({
  scope: audienceKey('account', accountId),
  accountId,
  partnerId: null,
});

export const scopeOfPartner = (partnerId: number): EndpointScope => ({
  scope: audienceKey('partner', partnerId),
  accountId: null,
  partnerId,
});

/** The level of the sessions that partners begin, and so of their feeds and endpoints, also where staff save them. */
export const LEVEL_OF_PARTNERS = 1;

/** Who manages endpoints: a member, staff, or a partner by its token. */
export type EndpointManager = { readonly caller: Caller } | { readonly partner: CallingPartner };

/** What a change of an endpoint locks: its account, so that changes run one after the other. */
export const lockedBy = ({ accountId }: EndpointScope) =>
  accountId === null ? {} : { lock: { accounts: [accountId] } };

/** The subject of a line in the audit log. */
export function endpointSubject({ accountId }: EndpointScope, subjectId: number) {
  return { subjectKind: 'endpoint', subjectId, ...(accountId === null ? {} : { accountId }) };
}

/** What a line in the audit log says of an endpoint; of a partner's, also whose it is. */
export function endpointFacts({ partnerId }: EndpointScope, facts: object): object {
  return partnerId === null ? facts : { ...facts, partnerId };
}

/** @throws {AppError} `not_found` for an endpoint of another scope too */
export async function requireEndpoint(
  db: Database,
  { scope }: EndpointScope,
  endpointId: number,
): Promise<EndpointRow> {
  const endpoint = await findEndpoint(db, { id: endpointId, scope });
  if (endpoint === undefined) throw new AppError('not_found');
  return endpoint;
}
