import { hkdfSync } from 'node:crypto';
import { createDataCipher, type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../app/services.js';
import { mainUrl } from './main-url.js';
import { CODE_LIFE_MS } from './one-use-code.js';
import type { SocialProvider } from './providers/social-provider.js';

const flow = z.object({
  /** The state that the provider has to return. */
  state: z.string(),
  /** RFC 7636; null when the provider does not support PKCE. */
  codeVerifier: z.string().nullable(),
  /** The member and session that connect a provider; null for a sign-in. */
  connecting: z.object({ memberId: z.number(), sessionTokenKey: z.string() }).nullable(),
  expiresAtMs: z.number(),
});

/** One flow through a provider, as stored in the browser. */
export type SocialFlow = z.output<typeof flow>;

/** Stores flows in browsers, encrypted: one per provider, for ten minutes. */
export interface FlowCookie {
  /** The Set-Cookie header that stores a flow. */
  keep(provider: SocialProvider, flow: SocialFlow): string;
  /** The Set-Cookie header that removes it. */
  forget(provider: SocialProvider): string;
  /** The flow in a Cookie header; undefined without a valid one for this provider. */
  read(provider: SocialProvider, header: string | undefined): SocialFlow | undefined;
}

/** The `__Host-` prefix (RFC 6265bis) prevents neighbouring hosts from setting the cookie. */
export function createFlowCookie(config: Services['config']): FlowCookie {
  const isSecure = mainUrl(config).startsWith('https:');
  const cipher = flowCipher(config.SESSION_SECRET);
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
  const nameOf = ({ key }: SocialProvider) => `${isSecure ? '__Host-' : ''}gatehouse-social-${key}`;
  const set = (provider: SocialProvider, value: string, maxAgeSeconds: number) =>
    [`${nameOf(provider)}=${value}`, `Max-Age=${maxAgeSeconds}`, ...attributes].join('; ');

  return {
    keep: (provider, value) =>
      set(provider, cipher.seal(JSON.stringify(value), contextOf(provider)), CODE_LIFE_MS / 1000),
    forget: (provider) => set(provider, '', 0),
    read(provider, header = '') {
      const name = nameOf(provider);
      const sealed = header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1);
      return sealed === undefined ? undefined : openFlow(cipher, sealed, provider);
    },
  };
}

function openFlow(cipher: DataCipher, sealed: string, provider: SocialProvider): SocialFlow | undefined {
  try {
    return flow.parse(JSON.parse(cipher.open(sealed, contextOf(provider))));
  } catch (error) {
    if (error instanceof SealedDataRefused) return undefined;
    throw error;
  }
}

function flowCipher(sessionSecret: string): DataCipher {
  const key = hkdfSync('sha256', sessionSecret, '', 'gatehouse social flow cookie', 32);
  return createDataCipher({ key: Buffer.from(key).toString('base64') });
}

function contextOf({ key }: SocialProvider): string {
  return `socialFlow:${key}`;
}
