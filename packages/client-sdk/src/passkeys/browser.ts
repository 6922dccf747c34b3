/** A credential of a browser. */
export interface BrowserCredential {
  readonly id: string;
  readonly rawId: ArrayBuffer;
  readonly type: string;
  readonly authenticatorAttachment?: string | null;
  readonly response: Readonly<Record<string, ArrayBuffer | null | undefined>> & {
    getTransports?(): string[];
  };
  toJSON?(): unknown;
}

/** The part of `PublicKeyCredential` that is used here. Older browsers lack most of it. */
export interface CredentialClass {
  isConditionalMediationAvailable?(): Promise<boolean>;
  getClientCapabilities?(): Promise<Readonly<Record<string, boolean>>>;
  parseRequestOptionsFromJSON?(options: object): object;
  parseCreationOptionsFromJSON?(options: object): object;
  signalUnknownCredential?(signal: object): Promise<void>;
  signalAllAcceptedCredentials?(signal: object): Promise<void>;
  signalCurrentUserDetails?(signal: object): Promise<void>;
}

/** The part of `navigator.credentials` that is used here. */
export interface CredentialsContainer {
  get(options: object): Promise<BrowserCredential | null>;
  create(options: object): Promise<BrowserCredential | null>;
}

/** The passkeys of this browser; undefined on a server and where there are none. */
export function browserPasskeys(): BrowserPasskeys | undefined {
  const navigator: unknown = Reflect.get(globalThis, 'navigator');
  const PublicKey: unknown = Reflect.get(globalThis, 'PublicKeyCredential');
  if (typeof navigator !== 'object' || navigator === null || typeof PublicKey !== 'function')
    return undefined;
  return asPasskeys({ credentials: Reflect.get(navigator, 'credentials'), PublicKey });
}

/** The API of passkeys. */
interface BrowserPasskeys {
  readonly credentials: CredentialsContainer;
  readonly PublicKey: CredentialClass;
}

function asPasskeys(found: { credentials: unknown; PublicKey: unknown }): BrowserPasskeys {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- browsers that define PublicKeyCredential define navigator.credentials (Credential Management Level 1)
  return found as BrowserPasskeys;
}

/**
 * The passkeys of this browser.
 * @throws {Error} where there are none
 */
export function requirePasskeys() {
  const passkeys = browserPasskeys();
  if (passkeys === undefined) throw new Error('This browser has no passkeys');
  return passkeys;
}

/** Whether this browser can make and use passkeys, and offer them while a name is typed. */
export async function arePasskeysSupported(): Promise<{
  readonly passkeys: boolean;
  readonly autofill: boolean;
}> {
  const found = browserPasskeys();
  const autofill = (await found?.PublicKey.isConditionalMediationAvailable?.()) === true;
  return { passkeys: found !== undefined, autofill };
}
