import { isGatehouseError } from '@gatehouse/client-sdk';

/** Whether a call that failed may have been done: its answer did not arrive, or says nothing about it. */
export function isUnsure(error: unknown): boolean {
  return !isGatehouseError(error) || isGatehouseError(error, 'unavailable', 'internal');
}
