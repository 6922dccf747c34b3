/** Providers' names for callers. A separate file, because the published client contains this type. */
export type SocialProviderKey = 'google' | 'github' | 'facebook' | 'linkedin' | 'twitter' | 'tiktok';
