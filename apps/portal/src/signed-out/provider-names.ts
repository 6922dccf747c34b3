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

const isProvider = (key: string): key is SocialProvider => Object.hasOwn(PROVIDER_NAMES, key);

/** What a provider calls itself; its key where we do not know it. */
export const nameOfProvider = (key: string): string => (isProvider(key) ? PROVIDER_NAMES[key] : key);
