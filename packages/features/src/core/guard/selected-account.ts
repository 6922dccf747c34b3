import type { Call } from '@gatehouse/http/server/http-call';
import { accountIdFrom } from '@gatehouse/http/server/request-headers';

/**
 * The account that a call selects by its header. A machine that sends none means its own.
 * @throws {AppError} `invalid_account` for a malformed header
 */
export function selectedAccountId({ header, facts }: Pick<Call, 'header' | 'facts'>): number | null {
  return accountIdFrom(header('accountid')) ?? facts.key?.accountId ?? null;
}
