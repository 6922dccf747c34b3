import type { Services } from '@gatehouse/features/core/context';
import { plantCanary } from './canary-log.js';

/**
 * The same services, which record every secret that passes through them. At the end of the run all logs are
 * searched for these.
 */
export function plantCanaries(services: Services): Services {
  const { cipher, passwords, tokens } = services;
  const noted = <Sealed extends { readonly token: string }>(sealed: Sealed): Sealed => {
    plantCanary(sealed.token);
    return sealed;
  };
  return {
    ...services,
    cipher: {
      ...cipher,
      seal(text, context) {
        plantCanary(text);
        return cipher.seal(text, context);
      },
      open(sealed, context) {
        const text = cipher.open(sealed, context);
        plantCanary(text);
        return text;
      },
    },
    passwords: {
      ...passwords,
      async hash(password, options) {
        plantCanary(password);
        const hash = await passwords.hash(password, options);
        plantCanary(hash);
        return hash;
      },
      compare(password, stored, rounds) {
        plantCanary(password);
        plantCanary(stored);
        return passwords.compare(password, stored, rounds);
      },
    },
    tokens: {
      ...tokens,
      sealSession: (claims, life) => noted(tokens.sealSession(claims, life)),
      sealBearer: (claims, life) => noted(tokens.sealBearer(claims, life)),
      sealPartner: (payload) => noted(tokens.sealPartner(payload)),
      sealOneUse: (payload, ttlSeconds, options) => noted(tokens.sealOneUse(payload, ttlSeconds, options)),
    },
  };
}
