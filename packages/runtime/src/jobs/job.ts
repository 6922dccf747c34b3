/**
 * Background work. Any number of nodes may run the same job. It claims its work by a conditional update with a
 * lease, so the work of a node that dies becomes free again.
 */
export interface Job<Services> {
  readonly name: string;
  /** The wait after a turn in which there was no work, in milliseconds. */
  readonly everyMs: number;
  /**
   * After a run with work it rests three times as long as that took, so that a long backlog slows requests
   * little. For work that nobody waits for.
   */
  readonly restsBetweenRuns?: boolean;
  /** Runs one turn and returns how much was done. While there is more, the next turn follows. */
  readonly run: (services: Services) => Promise<number>;
}
