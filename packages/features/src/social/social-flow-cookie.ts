import { randomId, sha256Hex } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { createFlowCookie, FLOW_LIFE_MS } from '../core/flow-cookie.js';
import { LOCALES } from '../core/member-view.js';

/** How long the codes of social flows are valid, in milliseconds. */
export const CODE_LIFE_MS = FLOW_LIFE_MS;

/** A new one-use code of 256 bits, and its stored digest. */
export function newCode(): { code: string; stateKey: string } {
  const code = randomId(32);
  return { code, stateKey: codeKey(code) };
}

/** The digest under which a code is stored. */
export function codeKey(code: string): string {
  return sha256Hex(`socialCode:${code}`);
}

const flow = z.object({
  /** The state that the provider has to return. */
  state: z.string(),
  /** RFC 7636; null when the provider does not support PKCE. */
  codeVerifier: z.string().nullable(),
  /** The member and session that connect a provider; null for a sign-in. */
  connecting: z.object({ memberId: z.number(), sessionTokenKey: z.string() }).nullable(),
  /** The language of the page that began the flow. */
  locale: z.enum(LOCALES).optional(),
  expiresAtMs: z.number(),
});

/** One flow through a provider, as stored in the browser. */
export type SocialFlow = z.output<typeof flow>;

/** Stores the flows of each provider in browsers. */
export function socialFlowCookie(config: Services['config']) {
  return createFlowCookie<SocialFlow>(config, 'social', flow);
}
