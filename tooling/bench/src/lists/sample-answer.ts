import { z } from 'zod';
import type { ListRequests } from './list-requests.js';

/** The service's answer to the first request of a row. */
export async function sampleAnswer(origin: string, { caller, requests }: ListRequests): Promise<unknown> {
  const [first] = requests;
  if (first === undefined) throw new Error('A row has at least one request');
  const response = await fetch(`${origin}${first.path}`, {
    headers: { ...caller.headers, ...(first.body ? { 'content-type': 'application/json' } : {}) },
    ...(first.body ? { method: 'POST', body: JSON.stringify(first.body) } : {}),
  });
  if (!response.ok) throw new Error(`${first.path}: ${response.status}`);
  return z.unknown().parse(await response.json());
}
