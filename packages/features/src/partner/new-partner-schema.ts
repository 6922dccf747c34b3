import { z } from 'zod';
import { appUrlSchema } from './app-url-schema.js';
import { partnerExternalIdSchema } from './partner-external-id-schema.js';
import { partnerNameSchema } from './partner-name-schema.js';
import { partnerSecretSchema } from './partner-secret-schema.js';

/** The input for a new partner. The secretKey is generated unless the partner has one. */
export const newPartnerSchema = z.object({
  name: partnerNameSchema,
  appUrl: appUrlSchema,
  externalId: partnerExternalIdSchema.optional(),
  secretKey: partnerSecretSchema.optional(),
});

export type NewPartner = z.output<typeof newPartnerSchema>;
