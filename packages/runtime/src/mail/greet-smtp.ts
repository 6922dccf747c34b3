import { openSmtpTransport, smtpReason } from './smtp-driver.js';

/**
 * Connects to the server of an `smtp://` URL, signs in if the URL has a user, and disconnects without
 * sending.
 * @returns the reason of a failure, in the codes of a delivery, or nothing on success
 */
export async function greetSmtp(url: string, timeoutMs: number): Promise<string | undefined> {
  const transport = await openSmtpTransport(url, timeoutMs);
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return smtpReason(error);
  } finally {
    transport.close();
  }
}
