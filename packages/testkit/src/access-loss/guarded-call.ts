import type { AccessScene } from './access-scene.js';
import type { CallerKind } from './caller-kind.js';

/** The request over each transport. */
export interface MadeCall {
  readonly input: object;
  /** The body over REST; the input by default. */
  readonly body?: object;
}

/** A guarded procedure, with a call that succeeds while the caller has access. */
export interface GuardedCall {
  readonly as: CallerKind;
  /** Whether it changes anything. Reads are not bound to a transaction. */
  readonly type?: 'query';
  /** Its path over REST, if it has one. */
  readonly rest?: string;
  /** Whether the people of the scene have confirmed addresses. */
  readonly isConfirmed?: true;
  /** Whether the caller's token is past half of its life. */
  readonly isAged?: true;
  readonly make: (scene: AccessScene) => Promise<MadeCall> | MadeCall;
}
