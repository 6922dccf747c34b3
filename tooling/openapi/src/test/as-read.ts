import type { Exchange } from './exchange.js';

/** The POST of a procedure that reads, as the GET with the same fields, which the document has. */
export function asRead(exchange: Exchange): Exchange {
  const url = new URL(exchange.target, 'http://service');
  for (const [name, value] of fieldsOf(exchange.requestBody)) {
    if (value !== null)
      url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const { 'content-type': _type, 'content-length': _length, ...requestHeaders } = exchange.requestHeaders;
  return {
    ...exchange,
    method: 'GET',
    target: `${url.pathname}${url.search}`,
    requestHeaders,
    requestBody: Buffer.alloc(0),
  };
}

function fieldsOf(body: Buffer): [string, unknown][] {
  try {
    const parsed: unknown = JSON.parse(body.toString());
    return typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : [];
  } catch {
    return [];
  }
}
