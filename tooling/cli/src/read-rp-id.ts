import { configShape } from '@gatehouse/features/core/config';
import { readRelyingParty } from '@gatehouse/runtime/config/relying-party';
import { z } from 'zod';
import type { CommandContext } from './command.js';

/** The domain of passkeys; undefined if the variables name none. PASSKEY_RP_ID names it also without the addresses of the services. */
export function readRpId(env: CommandContext['env']): string | undefined {
  const shape = z.object({
    APP_URL: configShape.APP_URL,
    BASE_URL: configShape.BASE_URL,
    MAIN_URL: configShape.MAIN_URL,
    PASSKEY_RP_ID: configShape.PASSKEY_RP_ID,
    PASSKEY_ORIGINS: configShape.PASSKEY_ORIGINS,
  });
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  if (set['APP_URL'] === undefined && set['BASE_URL'] === undefined)
    return shape.shape.PASSKEY_RP_ID.safeParse(set['PASSKEY_RP_ID']).data;
  const { data } = shape.safeParse(set);
  return data && readRelyingParty(data)?.id;
}
