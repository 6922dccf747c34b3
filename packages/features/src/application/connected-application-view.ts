import type { ConnectedApplication } from '@gatehouse/db/queries/consents';
import { z } from 'zod';
import { clientHost } from '../core/guard/client-host.js';
import { personName } from '../core/member-view.js';
import { applicationType } from './application-view.js';

/** The fields of an application that a member approved, shown to everybody who may see it. */
const connected = z.object({
  id: z.int(),
  applicationId: z.int(),
  name: z.string(),
  type: z.enum([...applicationType.options, 'document']),
  /** The host of the document that describes the application; null for one that is registered. */
  host: z.string().nullable(),
  /** The account that publishes the application; null for one of the deployment. */
  publisherId: z.int().nullable(),
  /** The account that it acts in; null if it acts in none. */
  inAccountId: z.int().nullable(),
  /** The API of the product that it calls; null for this service. */
  api: z.object({ name: z.string(), origin: z.string() }).nullable(),
  scopes: z.array(z.string()).max(250),
  createdAt: z.iso.datetime(),
  /** When the member last agreed to something. */
  updatedAt: z.iso.datetime(),
  /** When the application last called this API for the member; null if it never did. */
  lastUsedAt: z.iso.datetime().nullable(),
});

/** What a member lets an application do, as they see it. */
export const consentView = connected
  .extend({
    /** Null if the account is closed, or needs a session of a higher level. */
    inAccountName: z.string().nullable(),
  })
  .meta({ id: 'Consent' });

/** What a member lets an application do, as others see it. */
export const connectedApplicationView = connected
  .extend({ memberId: z.int(), memberName: z.string() })
  .meta({ id: 'ConnectedApplication' });

export function toConnectedApplicationView(
  row: ConnectedApplication,
): z.output<typeof connectedApplicationView> {
  return { ...toConnected(row), memberId: row.memberId, memberName: personName(row.member) };
}

export function toConnected(row: ConnectedApplication): z.output<typeof connected> {
  const { id, applicationId, name, type, clientId, publisherId, accountId, api, scopes } = row;
  const { createdAtMs, updatedAtMs, lastUsedAtMs } = row;
  return {
    id,
    applicationId,
    name,
    type,
    host: clientHost(clientId) ?? null,
    publisherId,
    inAccountId: accountId,
    api,
    scopes,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? null : new Date(lastUsedAtMs).toISOString(),
  };
}
