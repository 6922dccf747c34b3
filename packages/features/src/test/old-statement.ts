import type { OldWorld } from './old-world.js';
import type { OldAnswer } from './send-old.js';

/** A request of an old client: what the replaced system answered, and what it gets here. */
export interface OldStatement {
  /** One sentence about the replaced system. */
  readonly says: string;
  /** The beginning of the row of SECURITY.md that declares the difference, where there is one. */
  readonly differs?: string;
  readonly ask: (world: OldWorld) => Promise<OldAnswer>;
  /** Parts of the answer: status, headers, body or text. */
  readonly answers: unknown;
}

export const OK = { status: 200, body: { status: true } };
export const UNAUTHORIZED = { status: 401, text: 'unauthorized access' };

/** A refusal in the envelope. */
export function refused(status: number, code: string) {
  return { status, body: { status: false, error: { code } } };
}
