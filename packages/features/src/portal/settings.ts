import { emailKey } from '@gatehouse/auth-core';
import { findCredential } from '@gatehouse/db';
import type { Brand } from '@gatehouse/runtime/config/brand/brand';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/published-secrets';
import { z } from 'zod';
import { LOCALES } from '../app/locales.js';
import { publicProcedure } from '../app/procedures.js';
import { findConfiguredProvider } from '../social/configured-provider.js';
import { findSocialProvider, SOCIAL_PROVIDER_KEYS } from '../social/providers/index.js';
import { logoPath } from './brand-files.js';

const BRAND = { name: 'Gatehouse' };

const words = z.object({ en: z.string(), de: z.string() });
const messages = z.record(z.string(), z.string());

/** Whom a page of a development start offers to be; production has neither the members nor the password. */
const DEMONSTRATION = {
  password: DEMONSTRATION_PASSWORD,
  logins: [
    { email: 'owner@acme.test', kind: 'owner' },
    { email: 'member@acme.test', kind: 'member' },
  ],
} as const;

/** The settings that a sign-in page needs before anybody has signed in. */
export const settings = publicProcedure
  .meta({ about: { summary: 'Tell what a page for signing in offers' } })
  .output(
    z.object({
      data: z.object({
        brand: z.object({
          name: z.string(),
          /** The path of an image. */
          logo: z.string().optional(),
          links: z.array(z.object({ href: z.string(), text: words })).optional(),
          /** Messages of the portal that the brand says otherwise, by language and id. */
          messages: z.object({ en: messages, de: messages }).optional(),
        }),
        /** The keys of the configured providers. */
        providers: z.array(z.enum(SOCIAL_PROVIDER_KEYS)),
        /** Whether sign-in by mail is possible. */
        emailSignIn: z.boolean(),
        passkeys: z.boolean(),
        languages: z.array(z.enum(LOCALES)),
        /** The logins of the demonstration data, in development alone. */
        demonstration: z
          .object({
            password: z.string(),
            logins: z.array(z.object({ email: z.string(), kind: z.enum(['owner', 'member']) })),
          })
          .optional(),
      }),
    }),
  )
  .query(async ({ ctx }) => {
    const { config, db, relyingParty } = ctx.services;
    const isDemonstration =
      config.NODE_ENV === 'development' &&
      (await findCredential(db, emailKey(DEMONSTRATION.logins[0].email))) !== undefined;
    const providers = SOCIAL_PROVIDER_KEYS.filter((key) => {
      const provider = findSocialProvider(key);
      return provider !== undefined && findConfiguredProvider(config, provider) !== undefined;
    });
    return {
      data: {
        brand: config.PORTAL_BRAND === undefined ? BRAND : toBrandView(config.PORTAL_BRAND),
        providers,
        emailSignIn: config.EMAIL_SIGN_IN,
        passkeys: relyingParty !== undefined,
        languages: [...LOCALES],
        ...(isDemonstration
          ? { demonstration: { ...DEMONSTRATION, logins: [...DEMONSTRATION.logins] } }
          : {}),
      },
    };
  });

function toBrandView({ name, logo, links, messages: said }: Brand) {
  return { name, links, messages: said, ...(logo === undefined ? {} : { logo: logoPath(logo) }) };
}
