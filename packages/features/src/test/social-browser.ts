import { giveConsent, type Person } from '@gatehouse/simulator';
import type { RunningService } from '@gatehouse/testkit';

/** A browser for social flows: it keeps cookies and follows redirects, step by step. */
export interface SocialBrowser {
  readonly cookies: Map<string, string>;
  /** Opens a URL of the service, whatever its host; returns the redirect target. */
  open(address: string): Promise<{ status: number; location: string; response: Response }>;
  /** Begins at one of our URLs, consents at the provider and comes back; returns the final URL. */
  visit(address: string, answer?: { person?: Partial<Person>; decision?: 'allow' | 'deny' }): Promise<URL>;
}

export function createSocialBrowser(service: Pick<RunningService, 'send'>): SocialBrowser {
  const cookies = new Map<string, string>();

  async function open(address: string) {
    const { pathname, search } = new URL(address, 'http://service');
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await service.send(`${pathname}${search}`, { headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get('location') ?? '', response };
  }

  return {
    cookies,
    open,
    async visit(address, answer) {
      const { location: provider } = await open(address);
      const { location } = await open(await giveConsent(provider, answer));
      return new URL(location);
    },
  };
}
