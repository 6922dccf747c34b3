/** How callers name a provider. The published client carries this type, so it stands apart from what it names. */
export type SocialProviderKey = 'google' | 'github' | 'facebook' | 'linkedin' | 'twitter' | 'tiktok';
