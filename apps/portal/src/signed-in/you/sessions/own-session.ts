import type { MainOutputs } from '@gatehouse/client-sdk';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { t } from './words.js';

export type OwnSession = MainOutputs['session']['list']['data'][number];

export const SESSIONS_KEY = ['you', 'sessions'] as const;

/** What a session is called: by its member, else after the device. */
export function nameOf({ deviceName: given, device, kind }: OwnSession): string {
  if (given !== null) return given;
  return kind === 'bearer' ? t('session.program') : deviceName(device);
}
