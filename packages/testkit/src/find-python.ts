import { existsSync } from 'node:fs';

/** Debian's Python, if it has PyJWT (`python3-jwt`); undefined otherwise. */
export function findPython(): string | undefined {
  return existsSync('/usr/lib/python3/dist-packages/jwt/__init__.py') ? '/usr/bin/python3' : undefined;
}
