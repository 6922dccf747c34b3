import { createHmac } from 'node:crypto';
import type { Config } from '../core/config.js';

/**
 * What the links of the page of a development start hold. A page for signing in knows it too, and pages of other sites do not: their
 * links sign in nobody.
 */
export function demonstrationKey({ DATA_ENCRYPTION_KEY }: Pick<Config, 'DATA_ENCRYPTION_KEY'>): string {
  return createHmac('sha256', DATA_ENCRYPTION_KEY).update('demonstration').digest('base64url');
}
