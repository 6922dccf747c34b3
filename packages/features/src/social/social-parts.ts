import type { Services } from '../app/services.js';
import { createFlowCookie, type FlowCookie } from './flow-cookie.js';
import { createSocialGate, type SocialGate } from './social-gate.js';

interface SocialParts {
  readonly gate: SocialGate;
  readonly cookie: FlowCookie;
}

const made = new WeakMap<Services, SocialParts>();

/** The parts of social sign-in made from the configuration, once per service. */
export function socialParts(services: Services): SocialParts {
  const known = made.get(services);
  if (known) return known;
  const parts = { gate: createSocialGate(services.config), cookie: createFlowCookie(services.config) };
  made.set(services, parts);
  return parts;
}
