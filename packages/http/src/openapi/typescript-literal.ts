const WIDEST = 60;

/** A JSON value as TypeScript source; long values take several lines. */
export function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const parts = Object.entries(value).map(([key, each]) => {
    const text = typescriptLiteral(each, deeper);
    return isList ? text : `${propertyName(key)}: ${text}`;
  });
  const [open, close] = isList ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  if (line.length <= WIDEST && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}
