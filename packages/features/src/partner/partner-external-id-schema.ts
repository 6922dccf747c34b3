import { storableText } from '@gatehouse/auth-core';

/** The id that another system gave a partner, kept as it is: 1 to 128 characters without blanks around them. */
export const partnerExternalIdSchema = storableText(128).refine((id) => id === id.trim(), {
  message: 'must not begin or end with a blank',
});
