/** The name a property has as a column: `createdAtMs` is stored as `created_at_ms`. */
export function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
