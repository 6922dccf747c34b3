/** The time limit for all requests of one provider call, in milliseconds. */
export const PROVIDER_TIMEOUT_MS = 8_000;

/** A provider has not answered in time. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';
}

/**
 * Limits the wait for an answer, because the SDKs retry or wait forever.
 * @throws {ProviderTimeout}
 */
export async function withinTime<Answer>(answer: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderTimeout('no answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
