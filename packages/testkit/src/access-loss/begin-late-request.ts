import { request } from 'node:http';

/** A request of which the server has the headers and a few bytes of the body. */
export interface LateRequest {
  /** Sends the rest, and resolves to the status of the answer. */
  finish(): Promise<number>;
}

/** Sends the headers of a POST and the first bytes of its body, and holds back the rest. */
export async function beginLateRequest(
  url: string,
  {
    headers,
    body,
    isMalformed = false,
  }: {
    headers: Readonly<Record<string, string>>;
    body: unknown;
    /** Whether what follows makes the body no JSON. */
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
  // Whoever finishes it hears of what went wrong before.
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
