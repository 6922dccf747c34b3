import { storableText } from '@gatehouse/auth-core';

/** A secretKey that a partner has already: 32 to 200 characters. */
export const partnerSecretSchema = storableText(200).refine((secret) => secret.length >= 32, {
  message: 'must have at least 32 characters',
});
