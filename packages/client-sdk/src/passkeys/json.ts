import type { BrowserCredential, CredentialClass } from './browser.js';
import type { OptionsJson } from './passkey-client.js';

/** Options for `navigator.credentials.get`, parsed by the browser or here. */
export function parseRequest({ parseRequestOptionsFromJSON }: CredentialClass, options: OptionsJson): object {
  return parseRequestOptionsFromJSON?.(options) ?? parse(options);
}

/** Options for `navigator.credentials.create`, parsed by the browser or here. */
export function parseCreation(
  { parseCreationOptionsFromJSON }: CredentialClass,
  options: OptionsJson,
): object {
  return parseCreationOptionsFromJSON?.(options) ?? parse(options);
}

/** A credential as the service takes it. Some password managers replace credentials by ones without `toJSON`. */
export function toJson(credential: BrowserCredential): object {
  try {
    const json = credential.toJSON?.();
    if (isObject(json)) return json;
  } catch {
    // Put together below.
  }
  const { id, rawId, type, authenticatorAttachment, response } = credential;
  const parts: Record<string, unknown> = {};
  for (const name of [
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
    'signature',
    'userHandle',
  ]) {
    const part = response[name];
    if (part instanceof ArrayBuffer) parts[name] = toBase64url(part);
  }
  const transports = response.getTransports?.();
  return {
    id,
    rawId: toBase64url(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: {},
    response: { ...parts, ...(transports ? { transports } : {}) },
  };
}

/** The fields in which browsers want bytes. */
function parse(options: Readonly<Record<string, unknown>>): object {
  const parsed: Record<string, unknown> = { ...options, challenge: bytesOf(options['challenge']) };
  const { user, allowCredentials, excludeCredentials } = options;
  if (isObject(user)) parsed['user'] = withBytes(user);
  for (const [name, list] of Object.entries({ allowCredentials, excludeCredentials }))
    if (Array.isArray(list)) parsed[name] = list.filter(isObject).map(withBytes);
  return parsed;
}

const withBytes = (part: object) => ({ ...part, id: bytesOf(Reflect.get(part, 'id')) });

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function bytesOf(text: unknown): Uint8Array {
  const base64 = String(text).replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function toBase64url(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
