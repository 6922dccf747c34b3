import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { type EndpointRow, findEndpoint } from '@gatehouse/db/queries/event-endpoints';
import { audienceKey } from '@gatehouse/db/queries/events';

/** Whose endpoints a call is about: those of an account, or of the deployment. */
export interface EndpointScope {
  readonly scope: string;
  readonly accountId: number | null;
}

export const DEPLOYMENT: EndpointScope = { scope: 'deployment', accountId: null };

export const scopeOf = (accountId: number): EndpointScope => ({
  scope: audienceKey('account', accountId),
  accountId,
});

/** What a change of an endpoint locks: its account, so that changes run one after the other. */
export const lockedBy = ({ accountId }: EndpointScope) =>
  accountId === null ? {} : { lock: { accounts: [accountId] } };

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
