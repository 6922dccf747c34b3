import { createRequire } from 'node:module';

/** The part of samlify that tests use. Its own types bring those of a browser into every file. */
interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  readonly SamlLib: {
    readonly defaultLoginResponseTemplate: { readonly context: string };
    replaceTagsByValue(template: string, tags: Readonly<Record<string, string>>): string;
  };
  IdentityProvider(settings: Readonly<Record<string, unknown>>): SamlifyIdentityProvider;
  ServiceProvider(settings: Readonly<Record<string, unknown>>): SamlifyServiceProvider;
}

interface SamlifyServiceProvider {
  getMetadata(): string;
  readonly entityMeta: { getNameIDFormat(): unknown };
}

interface SamlifyRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly octetString: string;
}

interface SamlifyResult {
  readonly extract: Readonly<Record<string, unknown>>;
}

interface SamlifyIdentityProvider {
  getMetadata(): string;
  parseLoginRequest(
    sp: SamlifyServiceProvider,
    binding: 'redirect',
    request: SamlifyRequest,
  ): Promise<SamlifyResult>;
  createLoginResponse(
    sp: SamlifyServiceProvider,
    request: SamlifyResult,
    binding: 'post',
    user: Readonly<Record<string, string>>,
    template: (template: string) => { id: string; context: string },
  ): Promise<{ readonly context: string }>;
  createLogoutRequest(
    sp: SamlifyServiceProvider,
    binding: 'redirect' | 'post',
    user: { readonly logoutNameID: string; readonly sessionIndex: string },
    relayState?: string,
  ): { readonly context: string };
  parseLogoutRequest(
    sp: SamlifyServiceProvider,
    binding: 'redirect',
    request: SamlifyRequest,
  ): Promise<SamlifyResult>;
  parseLogoutResponse(
    sp: SamlifyServiceProvider,
    binding: 'redirect',
    request: SamlifyRequest,
  ): Promise<SamlifyResult>;
}

/** samlify, without its types. The interface has what its exact version has. */
export function loadSamlify(): Samlify {
  const samlify = createRequire(import.meta.url)('samlify') as Samlify;
  samlify.setSchemaValidator({ validate: () => Promise.resolve('not validated') });
  return samlify;
}

/** A message in an address, as samlify wants it. */
export function samlifyRequest(url: string): SamlifyRequest {
  const { search, searchParams } = new URL(url);
  const signed = search.slice(search.indexOf('SAMLRe'), search.indexOf('&Signature='));
  return { query: Object.fromEntries(searchParams), octetString: signed };
}
