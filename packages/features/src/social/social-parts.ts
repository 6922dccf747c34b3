import type { Kit } from '@gatehouse/features/app/kit';
import { createFlowCookie, type FlowCookie } from './flow-cookie.js';
import { createSocialGate, type SocialGate } from './social-gate.js';

interface SocialParts {
  readonly gate: SocialGate;
  readonly cookie: FlowCookie;
}

const made = new WeakMap<Kit, SocialParts>();

/** What social sign-in makes out of a kit's configuration, made once for each kit. */
export function socialParts(kit: Kit): SocialParts {
  const known = made.get(kit);
  if (known) return known;
  const parts = { gate: createSocialGate(kit.config), cookie: createFlowCookie(kit.config) };
  made.set(kit, parts);
  return parts;
}
