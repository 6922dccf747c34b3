/**
 * A value the embedded driver can bind.
 *
 * @throws TypeError for anything else: a boolean would make the driver end the whole process
 */
export function bindable(value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`a statement was given a ${typeof value} it cannot bind`);
}
