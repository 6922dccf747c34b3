import { configShape } from '@gatehouse/features/core/config';
import { socialConfigShape } from '@gatehouse/features/core/social-providers/social-providers';
import { operatorConfigShape } from '../config.js';
import { nearestName } from '../nearest-name.js';
import type { Finding } from './finding.js';

const KNOWN = [
  ...Object.keys(configShape),
  ...Object.keys(operatorConfigShape),
  'PORT',
  'ADMIN_PORT',
  'SIMULATOR_PORT',
  'PARTNER_PORT',
];
const isKnown = new Set(KNOWN);

/**
 * Variables whose incomplete names are reported as mistakes. Those of providers are not among them, because names
 * such as GITHUB_TOKEN belong to other programs.
 */
const FINISHED = KNOWN.filter((name) => !(name in socialConfigShape));

/** Names with one of these prefixes are meant for us; no other program on a server reads them. */
const FAMILIES = new Set(['APPTYPE', 'CORS', 'JWT', 'MAIL', 'PADDLE', 'RESEND', 'SMTP', 'STRIPE']);
const SHORTEST = 6;

/** Unused variables that look meant for us. Their values are never printed. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return Object.keys(env)
    .filter((name) => !isKnown.has(name) && name.length >= SHORTEST)
    .flatMap((name) => {
      const meant =
        nearestName(name, KNOWN) ??
        FINISHED.find((each) => each.startsWith(`${name}_`) && name.includes('_'));
      if (meant !== undefined) return [`${name} is read by nobody; did you mean ${meant}?`];
      const isOurs = name.includes('_') && FAMILIES.has(name.split('_', 1)[0] ?? '');
      return isOurs ? [`${name} is read by nobody; docs/configuration.md lists every variable`] : [];
    })
    .map((text) => ({ isWell: false, text: `variables: ${text}` }));
}
