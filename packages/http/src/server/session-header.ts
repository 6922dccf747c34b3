/**
 * The session token in the header that carries it. In `Authorization` a value with a scheme, such as `Bearer …`, is none:
 * a session token stands there alone, as clients of the replaced system send it.
 */
export function sessionTokenIn(name: string, value: string | undefined): string | undefined {
  if (value === undefined || name !== 'authorization') return value;
  return /\s/.test(value.trim()) ? undefined : value;
}
