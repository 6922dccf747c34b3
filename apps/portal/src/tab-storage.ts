/** Values that one document of this tab leaves for a later one. */
type Name =
  /** The address that was typed at sign-in. */
  | 'address'
  /** The page of the console that staff came from. */
  | 'back'
  /** The key of the provider that a sign-in has connected, until a page has said so. */
  | 'connected'
  /** The token of the invitation whose reader signs in first. */
  | 'invitation'
  /** The account, the role and the addresses of invitations that are being sent. */
  | 'invitees'
  /** Set while a signed-in member is at a provider to connect it. */
  | 'linking'
  /** A sentence for the page with the organizations. */
  | 'notice'
  /** The key of the provider that the person is sent to. */
  | 'provider'
  /** The account that is paid for, and the address of the product that sent the person to pay. */
  | 'return'
  /** Set by signing out, until the sign-in page has said so. */
  | 'signedOut'
  /** The path of the screen with the result of an identity provider's test. */
  | 'test'
  /** The query of the sign-in page while the person is at a provider: it says where to go after signing in. */
  | 'search';

const keyOf = (name: Name) => `gatehouse.${name}`;

/** Keeps a value in this tab; undefined removes it. Does nothing where storage is forbidden. */
export function keep(name: Name, value: string | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), value);
  } catch {
    // Storage can be forbidden.
  }
}

/** The value that this tab keeps; undefined without one, or without storage. */
export function kept(name: Name): string | undefined {
  try {
    return sessionStorage.getItem(keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Like {@link kept}, once. */
export function takeKept(name: Name): string | undefined {
  const value = kept(name);
  keep(name, undefined);
  return value;
}

/** The page of the console that staff came from, once. */
export function takeWayBack(): string | undefined {
  const back = takeKept('back') ?? '';
  return /^https?:\/\//.test(back) ? back : undefined;
}
