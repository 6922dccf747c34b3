import { parseUrl } from '@gatehouse/auth-core';
import type { Config } from '../core/config.js';

/**
 * The sign-in of the console, if the person says that they came from there; undefined for every other address, to which no page
 * leads back.
 * @param back the address that a link contained
 */
export function wayBack(
  { ADMIN_URL }: Pick<Config, 'ADMIN_URL'>,
  back: string | undefined,
): string | undefined {
  if (ADMIN_URL === undefined || back === undefined) return undefined;
  const consoleUrl = `${ADMIN_URL}/console/sign-in`;
  return parseUrl(back)?.origin === new URL(consoleUrl).origin ? consoleUrl : undefined;
}
