import { storableText } from '@gatehouse/auth-core';
import { isPublishedSecret } from '@gatehouse/runtime/config/published-secrets';

/** A partner's existing secretKey: 32 to 200 characters, and not one from the documents. */
export const partnerSecretSchema = storableText(200)
  .refine((secret) => secret.length >= 32, { message: 'must have at least 32 characters' })
  .refine((secret) => !isPublishedSecret(secret), { message: 'is published with this software' });
