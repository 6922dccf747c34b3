import type { Services } from '../core/context.js';
import { MAX_METADATA_BYTES, readSamlMetadata, type SamlMetadata } from './read-saml-metadata.js';
import { XmlRefused } from './saml-xml.js';

const WHOLE_MS = 10_000;

/** Fetches metadata at an address that people entered, or says in words why it could not. */
export async function fetchSamlMetadata(
  { outbound, config }: Pick<Services, 'outbound' | 'config'>,
  url: string,
): Promise<{ readonly metadata: SamlMetadata } | { readonly problem: string }> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  const answer = await outbound.get(url, {
    reach: 'public',
    headers,
    maxBytes: MAX_METADATA_BYTES + 1,
    wholeMs: WHOLE_MS,
  });
  if ('failure' in answer) return { problem: `The address could not be read: ${answer.failure}.` };
  if (answer.status !== 200) return { problem: `The address answers with the status ${answer.status}.` };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
    return { metadata: readSamlMetadata(text, { isProduction: config.NODE_ENV === 'production' }) };
  } catch (error) {
    if (error instanceof XmlRefused) return { problem: error.message };
    if (error instanceof TypeError) return { problem: 'It is not UTF-8.' };
    throw error;
  }
}
