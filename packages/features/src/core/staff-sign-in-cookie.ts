import { z } from 'zod';
import type { Services } from './context.js';
import { createFlowCookie, onOwnHost } from './flow-cookie.js';

const LIFE_MS = 60_000;

const PARTY = 'staff';

const cookieOf = ({ config }: Pick<Services, 'config'>) =>
  createFlowCookie(onOwnHost(config), 'sso', z.object({ state: z.string(), expiresAtMs: z.number() }));

/** The Set-Cookie headers that bind the one-use token of a staff sign-in to the browser that went through the identity provider. */
export function bindStaffSignIn(
  services: Pick<Services, 'config' | 'now'>,
  token: string,
  header: string | undefined,
): string[] {
  return cookieOf(services).keep(PARTY, { state: token, expiresAtMs: services.now() + LIFE_MS }, header);
}

/** Whether a browser is the one that got a token: a link with another person's token signs nobody in. */
export function isBoundStaffSignIn(
  services: Pick<Services, 'config' | 'now'>,
  token: string,
  header: string | undefined,
): boolean {
  const kept = cookieOf(services).read(PARTY, token, header);
  return kept?.state === token && services.now() < kept.expiresAtMs;
}
