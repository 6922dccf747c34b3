/** Longer tokens are neither issued nor accepted: common proxies limit a header or URL to 8 kB. */
export const maxTokenLength = 8192;
