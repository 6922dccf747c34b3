import type { SocialProvider } from '@gatehouse/client-sdk';

/** The names that the providers give themselves. */
export const PROVIDER_NAMES: Readonly<Record<SocialProvider, string>> = {
  google: 'Google',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  twitter: 'X',
  tiktok: 'TikTok',
};
