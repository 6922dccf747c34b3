/** Longer tokens are neither made nor read: common proxies give a header or an address 8 kB. */
export const maxTokenLength = 8192;
