/** A credential as Keycloak stores it: its content is JSON in a text. */
export interface KeycloakCredential {
  readonly type: 'password' | 'otp';
  readonly secretData: string;
  readonly credentialData: string;
}

interface Pbkdf2 {
  readonly digest: string;
  readonly rounds: string;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** The text of a hash of another system, as it is stored. */
const FOREIGN = /^\$foreign\$(?:pbkdf2|argon2)\$(.+)$/;

const KEYCLOAK = /^pbkdf2-(sha256|sha512)\$(\d+)\$\d+\$([^$]+)\$([^$]+)$/;
const DJANGO = /^pbkdf2_(sha256)\$(\d+)\$([^$]+)\$([^$]+)$/;
const PASSLIB = /^\$pbkdf2-(sha256|sha512)\$(\d+)\$([^$]+)\$([^$]+)$/;
const WERKZEUG = /^pbkdf2:(sha256|sha512):(\d+)\$([^$]+)\$([^$]+)$/;
const ARGON2 = /^\$argon2(id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/;

/**
 * A stored password as a credential of Keycloak: PBKDF2 by SHA-256 or SHA-512 and Argon2, which Keycloak has, and bcrypt, for which it
 * needs an extension. Undefined for every other kind.
 */
export function keycloakPassword(stored: string): KeycloakCredential | undefined {
  const [, cost] = BCRYPT.exec(stored) ?? [];
  if (cost !== undefined)
    return credentialOf({ value: stored, salt: '' }, { algorithm: 'bcrypt', hashIterations: Number(cost) });
  const [, text = ''] = FOREIGN.exec(stored) ?? [];
  const pbkdf2 = readPbkdf2(text);
  if (pbkdf2 !== undefined) {
    const { digest, rounds, salt, key } = pbkdf2;
    const secret = { value: key.toString('base64'), salt: salt.toString('base64') };
    return credentialOf(secret, { algorithm: `pbkdf2-${digest}`, hashIterations: Number(rounds) });
  }
  const [, type, memory = '', rounds, lanes = '', salt = '', key = ''] = ARGON2.exec(text) ?? [];
  if (type === undefined) return undefined;
  const padded = (base64: string) => Buffer.from(base64, 'base64').toString('base64');
  return credentialOf(
    { value: padded(key), salt: padded(salt) },
    {
      algorithm: 'argon2',
      hashIterations: Number(rounds),
      additionalParameters: {
        type: [type],
        version: ['1.3'],
        hashLength: [String(Buffer.from(key, 'base64').length)],
        memory: [memory],
        parallelism: [lanes],
      },
    },
  );
}

function readPbkdf2(text: string): Pbkdf2 | undefined {
  const forms: readonly [RegExp, (salt: string) => Buffer, (key: string) => Buffer][] = [
    [KEYCLOAK, fromBase64, fromBase64],
    [DJANGO, (salt) => Buffer.from(salt), fromBase64],
    [PASSLIB, fromPasslib, fromPasslib],
    [WERKZEUG, (salt) => Buffer.from(salt), (key) => Buffer.from(key, 'hex')],
  ];
  for (const [form, readSalt, readKey] of forms) {
    const [, digest, rounds = '', salt = '', key = ''] = form.exec(text) ?? [];
    if (digest !== undefined) return { digest, rounds, salt: readSalt(salt), key: readKey(key) };
  }
  return undefined;
}

const fromBase64 = (text: string) => Buffer.from(text, 'base64');

const fromPasslib = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64');

function credentialOf(
  secret: { readonly value: string; readonly salt: string },
  data: object,
): KeycloakCredential {
  return {
    type: 'password',
    secretData: JSON.stringify({ ...secret, additionalParameters: {} }),
    credentialData: JSON.stringify({ additionalParameters: {}, ...data }),
  };
}

/** The secret of an authenticator app, in base32, as a credential of Keycloak: 6 digits in 30 seconds by SHA-1. */
export function keycloakAuthenticator(base32: string): KeycloakCredential {
  return {
    type: 'otp',
    secretData: JSON.stringify({ value: base32 }),
    credentialData: JSON.stringify({
      subType: 'totp',
      digits: 6,
      counter: 0,
      period: 30,
      algorithm: 'HmacSHA1',
      secretEncoding: 'BASE32',
    }),
  };
}
