import { storableText } from '@gatehouse/auth-core';

/** Why staff do something, for the audit log. */
export const reason = storableText(500).refine((text) => text.trim() !== '', {
  message: 'must say something',
});
