import { readRelyingParty } from '@gatehouse/runtime/config/relying-party';
import type { Config } from '../core/config.js';
import { rootLevelOf } from '../core/guard/level.js';

type Variables = Pick<
  Config,
  | 'APP_URL'
  | 'BASE_URL'
  | 'MAIN_URL'
  | 'NODE_ENV'
  | 'PASSKEY_ORIGINS'
  | 'PASSKEY_RP_ID'
  | 'STAFF_LEVEL'
  | 'STAFF_ROOT_LEVEL'
>;

/** Why administrators could never add the passkey that their level requires at api-admin; undefined if they can. */
export function staffPasskeyProblem(config: Variables): string | undefined {
  if (rootLevelOf(config) < 3) return undefined;
  const { origin } = new URL(config.BASE_URL);
  if (readRelyingParty(config)?.origins.includes(origin)) return undefined;
  return 'PASSKEY_RP_ID: must be a domain above the hosts of APP_URL and of BASE_URL, because STAFF_ROOT_LEVEL asks for a passkey at api-admin, whose origin PASSKEY_ORIGINS has to name if it is set';
}
