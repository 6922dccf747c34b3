/** The column name of a property: `createdAtMs` becomes `created_at_ms`. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
