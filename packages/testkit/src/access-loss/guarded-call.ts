import type { AccessScene } from './access-scene.js';
import type { CallerKind } from './caller-kind.js';

/** What is sent over each transport. */
export interface MadeCall {
  readonly input: object;
  /** The body over REST; the input unless given. */
  readonly body?: object;
}

/** A guarded procedure, and a call of it that succeeds for those who keep their access. */
export interface GuardedCall {
  readonly as: CallerKind;
  /** Whether it changes anything; reads are let go on by no transaction. */
  readonly type?: 'query';
  /** Its path over REST, where it has one. */
  readonly rest?: string;
  /** Whether the people of the scene have confirmed their addresses. */
  readonly isConfirmed?: true;
  readonly make: (scene: AccessScene) => Promise<MadeCall> | MadeCall;
}
