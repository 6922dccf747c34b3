import { z } from 'zod';
import { LOCALES } from '../app/locales.js';
import { publicProcedure } from '../app/procedures.js';
import { findConfiguredProvider } from '../social/configured-provider.js';
import { findSocialProvider, SOCIAL_PROVIDER_KEYS } from '../social/providers/index.js';

const BRAND = 'Gatehouse';

/** The settings that a sign-in page needs before anybody has signed in. */
export const settings = publicProcedure
  .meta({ about: { summary: 'Tell what a page for signing in offers' } })
  .output(
    z.object({
      data: z.object({
        brand: z.object({ name: z.string() }),
        /** The keys of the configured providers. */
        providers: z.array(z.enum(SOCIAL_PROVIDER_KEYS)),
        /** Whether sign-in by mail is possible. */
        emailSignIn: z.boolean(),
        passkeys: z.boolean(),
        languages: z.array(z.enum(LOCALES)),
      }),
    }),
  )
  .query(({ ctx }) => {
    const { config, relyingParty } = ctx.services;
    const providers = SOCIAL_PROVIDER_KEYS.filter((key) => {
      const provider = findSocialProvider(key);
      return provider !== undefined && findConfiguredProvider(config, provider) !== undefined;
    });
    return {
      data: {
        brand: { name: BRAND },
        providers,
        emailSignIn: config.EMAIL_SIGN_IN,
        passkeys: relyingParty !== undefined,
        languages: [...LOCALES],
      },
    };
  });
