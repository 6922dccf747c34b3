/**
 * The parts of an operation that a request needs.
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, example?: unknown }} Parameter
 * @typedef {{
 *   parameters: readonly (Parameter | { $ref: string })[],
 *   requestBody?: { content: Readonly<Record<string, { example?: unknown }>> },
 *   security: readonly Readonly<Record<string, unknown>>[],
 * }} Operation
 * @typedef {{
 *   paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
 *   components: {
 *     parameters: Readonly<Record<string, Parameter>>,
 *     securitySchemes: Readonly<Record<string, { type: string, name?: string }>>,
 *   },
 * }} OpenApi
 */

/** @type {Promise<OpenApi> | undefined} */
let asked;

/**
 * The document of this page, fetched once.
 * @returns {Promise<OpenApi>}
 */
export function openApi() {
  asked ??= read().catch((/** @type {unknown} */ error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** @returns {Promise<OpenApi>} */
async function read() {
  const response = await fetch(`/openapi.json${location.search}`, { credentials: 'omit' });
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The service that made this page made the document too.
  return /** @type {OpenApi} */ (await response.json());
}
