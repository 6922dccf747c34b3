import { decideAccess } from '@gatehouse/auth-core';
import type { ApplicationRow } from '@gatehouse/db/queries/applications';
import type { Services } from '../../core/context.js';
import { levelFacts } from '../../core/guard/level.js';
import { LEVEL_OF_MACHINES } from '../../core/guard/machine-caller.js';
import { BUNDLES } from '../../core/guard/scope-permissions.js';

/** How an application gets a token for its machine (RFC 6749, section 4.4). */
export const MACHINE_GRANT = 'client_credentials';

/** The machine that an application acts as, with what its role permits now. */
export interface StandingMachine {
  readonly machineId: number;
  /** The scopes of the application that the role permits. */
  readonly scopes: ReadonlySet<string>;
}

/**
 * The machine of an application that may act now. Undefined unless the application is active, the machine was not removed, and
 * the account of both is open. A machine of the staff reaches no account, so its role permits nothing.
 */
export async function standingMachine(
  services: Pick<Services, 'access' | 'config' | 'now' | 'relyingParty' | 'roles'>,
  { active, accountId, machineId, scopes }: ApplicationRow,
): Promise<StandingMachine | undefined> {
  const { access, roles } = services;
  if (!active || machineId === null) return undefined;
  await access.current();
  const member = await access.member(machineId);
  if (member?.machine?.accountId !== accountId) return undefined;
  if (accountId === null) return { machineId, scopes: new Set() };
  const account = await access.account(accountId);
  const level = levelFacts(services, member, { level: LEVEL_OF_MACHINES, recoveryId: undefined });
  const decision = decideAccess(roles, member, { accountId, account, level });
  if (decision.reason !== undefined || decision.access === 'none') return undefined;
  const held: ReadonlySet<string> = decision.permissions;
  const isHeld = (scope: string) => BUNDLES.has(scope) || held.has(scope);
  return { machineId, scopes: new Set(scopes.filter(isHeld)) };
}
