import { z } from 'zod';
import { appUrlSchema } from './app-url-schema.js';
import { partnerNameSchema } from './partner-name-schema.js';
import { partnerSecretSchema } from './partner-secret-schema.js';

/** What adding a partner takes; the secretKey is made up unless the partner has one already. */
export const newPartnerSchema = z.object({
  name: partnerNameSchema,
  appUrl: appUrlSchema,
  secretKey: partnerSecretSchema.optional(),
});
