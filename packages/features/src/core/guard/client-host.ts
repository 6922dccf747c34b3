import { parseUrl } from '@gatehouse/auth-core';
import { z } from 'zod';

/** The name of a host of client documents, without a port. */
export const clientHostName = z
  .string()
  .max(255)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be the name of a host such as agent.example.com');

/** Which hosts may describe applications in documents: any, or these. */
export type ClientDocumentHosts = 'any' | readonly string[];

/** The host of the document that describes an application; undefined for an application that is registered here. */
export function clientHost(clientId: string): string | undefined {
  return clientId.includes('://') ? parseUrl(clientId)?.hostname : undefined;
}

/** Whether the operator allows documents of a host. */
export function admitsHost(hosts: ClientDocumentHosts, host: string): boolean {
  return hosts === 'any' || hosts.includes(host);
}

/** Whether an account has blocked the host of the document that describes an application. */
export function isBlockedIn(
  account: { readonly blockedClientHosts: readonly string[] | null } | undefined,
  clientId: string,
): boolean {
  const host = clientHost(clientId);
  return host !== undefined && (account?.blockedClientHosts ?? []).includes(host);
}
