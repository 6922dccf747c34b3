import { request } from 'node:http';

/** A request of which the server has received the headers and the first bytes of the body. */
export interface LateRequest {
  /** Sends the rest, and resolves to the answer's status. */
  finish(): Promise<number>;
}

/** Sends the headers of a POST and the first bytes of its body, and delays the rest. */
export async function beginLateRequest(
  url: string,
  {
    headers,
    body,
    isMalformed = false,
  }: {
    headers: Readonly<Record<string, string>>;
    body: unknown;
    /** Whether the rest makes the body invalid JSON. */
    isMalformed?: boolean;
  },
): Promise<LateRequest> {
  const text = JSON.stringify(body);
  const first = text.slice(0, 1);
  const rest = isMalformed ? '!'.repeat(text.length - first.length) : text.slice(first.length);
  const sending = request(url, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
  });
  // `finish` reports earlier errors.
  answered.catch(() => undefined);
  await new Promise<void>((resolve) => {
    sending.write(first, () => resolve());
  });
  return {
    finish() {
      sending.end(rest);
      return answered;
    },
  };
}
