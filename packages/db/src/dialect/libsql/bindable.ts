/**
 * A value the embedded driver can bind.
 *
 * @throws TypeError for anything else: the driver ends the whole process when it is given a boolean
 */
export function bindable(value: unknown): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`a statement was given a ${typeof value} it cannot bind`);
}
