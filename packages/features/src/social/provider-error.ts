/** Why a request to a provider failed. */
export type ProviderFault =
  /** No answer in time, or a request to try later. */
  | 'unreachable'
  /** An answer in an undocumented form. */
  | 'malformed'
  /** A documented refusal, with the provider's code. */
  | 'refused';

export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  /** The provider's error code, never text of an answer. */
  readonly code: string | undefined;

  constructor(fault: ProviderFault, options: { code?: string; cause?: unknown } = {}) {
    super(`the provider's answer: ${fault}`, 'cause' in options ? { cause: options.cause } : undefined);
    this.fault = fault;
    this.code = options.code;
  }
}
