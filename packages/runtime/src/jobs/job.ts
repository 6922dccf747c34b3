/**
 * Background work. Any number of nodes may run the same job. It claims its work by a conditional update with a
 * lease, so the work of a node that dies becomes free again.
 */
export interface Job<Services> {
  readonly name: string;
  /** The wait after a turn without work, in milliseconds. */
  readonly everyMs: number;
  /** Takes one turn and returns how much was done. The next turn follows at once while there is more. */
  readonly run: (services: Services) => Promise<number>;
}
