import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import type { Services } from '../core/context.js';
import { demonstrationKey } from './demonstration-key.js';

/** The staff of the demonstration data. */
const DEMONSTRATION = [
  { email: 'root@gatehouse.test', kind: 'root' },
  { email: 'staff@gatehouse.test', kind: 'staff' },
] as const;

/**
 * The data that the documents of the console contain so that staff of the demonstration sign in with one click, only in
 * development. Production has neither them nor their password.
 */
export function consoleSettings({ config }: Pick<Services, 'config'>): {
  readonly demonstration?: {
    readonly password: string;
    readonly logins: typeof DEMONSTRATION;
    /** What a link has to hold that signs in as one of them. */
    readonly key: string;
  };
} {
  if (config.NODE_ENV !== 'development') return {};
  return {
    demonstration: {
      password: DEMONSTRATION_PASSWORD,
      logins: DEMONSTRATION,
      key: demonstrationKey(config),
    },
  };
}
