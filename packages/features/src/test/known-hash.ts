import { hashPassword } from '@gatehouse/auth-core';

const hashes = new Map<string, Promise<string>>();

/** The hash of a password that many tests share, made once. */
export function knownHash(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}
