/**
 * @param {string} json
 * @returns {Readonly<Record<string, unknown>>} its fields; none if it is not an object
 */
export function readRecord(json) {
  /** @type {unknown} */
  const value = JSON.parse(json);
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
