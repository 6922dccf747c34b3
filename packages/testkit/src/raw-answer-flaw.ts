/** Bodies that are sent instead of the envelope, byte for byte. */
const PLAIN_BODIES = ['unauthorized access', ''];

/**
 * The flaw of an answer to a raw request; undefined if none. It must not be a 5xx, and must have the common
 * headers. A refusal must be the envelope with the header's request id, or tRPC's form of it.
 */
export function rawAnswerFlaw(request: string, whole: string): string | undefined {
  const answer = whole.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = answer.indexOf('\r\n\r\n');
  const head = answer.slice(0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!(status >= 200 && status < 500)) return `answered ${head.split('\r\n', 1)[0] || 'nothing'}`;
  const requestId = headerOf(head, 'x-request-id');
  if (requestId === undefined) return 'has no X-Request-Id';
  if (headerOf(head, 'x-content-type-options') !== 'nosniff') return 'has no security headers';
  if (status < 400 || request.startsWith('HEAD')) return undefined;
  const body = answer.slice(end + 4);
  if (body !== '' && headerOf(head, 'content-type') === undefined) return 'has no Content-Type';
  if (PLAIN_BODIES.includes(body) && [401, 403].includes(status)) return undefined;
  const json = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  if (json.includes('"reason":')) return undefined;
  if (!json.includes(`"requestId":"${requestId}"`)) return `has no envelope: ${body.slice(0, 200)}`;
  return undefined;
}

function headerOf(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
}
