import type { OpenApiDocument, Reference, Response } from '@gatehouse/http/openapi/open-api-types';

/** Whether the sentence of a refusal is one of the examples that the document has for its code. */
export function isForeseenSentence(
  { components }: OpenApiDocument,
  described: Response | Reference | undefined,
  body: unknown,
): boolean {
  const response =
    described && '$ref' in described
      ? components.responses[described.$ref.slice(described.$ref.lastIndexOf('/') + 1)]
      : described;
  const { examples } = response?.content?.['application/json'] ?? {};
  const said = refusalIn(body);
  if (!examples || !said) return true;
  return Object.values(examples).some(({ value }) => {
    const example = refusalIn(value);
    return example !== undefined && example.code === said.code && example.message === said.message;
  });
}

function refusalIn(body: unknown): { code: unknown; message: unknown } | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body) || !('message' in body))
    return undefined;
  const { error, message } = body;
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return { code: error.code, message };
}
