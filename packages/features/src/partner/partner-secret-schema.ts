import { storableText } from '@gatehouse/auth-core';
import { isPublishedSecret } from '@gatehouse/runtime/config/published-secrets';

/** A secretKey that a partner has already: 32 to 200 characters, and none that the documents show. */
export const partnerSecretSchema = storableText(200)
  .refine((secret) => secret.length >= 32, { message: 'must have at least 32 characters' })
  .refine((secret) => !isPublishedSecret(secret), { message: 'is published with this software' });
