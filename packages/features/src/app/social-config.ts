import { z } from 'zod';

const credential = z.string().min(1).max(1000).optional();

const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).optional();

const scopes = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.string()).min(1, 'must name at least one scope'))
  .optional();

/**
 * A deployment's settings for each social provider: its credentials, without which it is not offered, and
 * settings that replace the public defaults.
 */
export const socialConfigShape = {
  GOOGLE_CLIENT_ID: credential,
  GOOGLE_CLIENT_SECRET: credential,
  GOOGLE_AUTHORIZATION_URL: address,
  GOOGLE_TOKEN_URL: address,
  GOOGLE_PROFILE_URL: address,
  GOOGLE_SCOPES: scopes,
  GITHUB_CLIENT_ID: credential,
  GITHUB_CLIENT_SECRET: credential,
  GITHUB_AUTHORIZATION_URL: address,
  GITHUB_TOKEN_URL: address,
  GITHUB_PROFILE_URL: address,
  GITHUB_SCOPES: scopes,
  FACEBOOK_CLIENT_ID: credential,
  FACEBOOK_CLIENT_SECRET: credential,
  FACEBOOK_AUTHORIZATION_URL: address,
  FACEBOOK_TOKEN_URL: address,
  FACEBOOK_PROFILE_URL: address,
  FACEBOOK_SCOPES: scopes,
  LINKEDIN_CLIENT_ID: credential,
  LINKEDIN_CLIENT_SECRET: credential,
  LINKEDIN_AUTHORIZATION_URL: address,
  LINKEDIN_TOKEN_URL: address,
  LINKEDIN_PROFILE_URL: address,
  LINKEDIN_ORGANIZATIONS_URL: address,
  LINKEDIN_SCOPES: scopes,
  TWITTER_CLIENT_ID: credential,
  TWITTER_CLIENT_SECRET: credential,
  TWITTER_AUTHORIZATION_URL: address,
  TWITTER_TOKEN_URL: address,
  TWITTER_PROFILE_URL: address,
  TWITTER_SCOPES: scopes,
  TIKTOK_CLIENT_ID: credential,
  TIKTOK_CLIENT_SECRET: credential,
  TIKTOK_AUTHORIZATION_URL: address,
  TIKTOK_TOKEN_URL: address,
  TIKTOK_PROFILE_URL: address,
  TIKTOK_SCOPES: scopes,
} as const;

export type SocialConfig = z.output<z.ZodObject<typeof socialConfigShape>>;
