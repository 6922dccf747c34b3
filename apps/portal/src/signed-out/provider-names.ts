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

export const isProvider = (key: string): key is SocialProvider => Object.hasOwn(PROVIDER_NAMES, key);

/** The name of a provider; its key if unknown. */
export const nameOfProvider = (key: string): string => (isProvider(key) ? PROVIDER_NAMES[key] : key);
