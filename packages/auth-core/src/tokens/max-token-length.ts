/** Longer tokens are neither made nor read: common proxies limit a header or URL to 8 kB. */
export const maxTokenLength = 8192;
