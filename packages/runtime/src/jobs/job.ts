/**
 * Work that is done beside requests. Any number of nodes may run the same job: what it takes on, it claims
 * by a conditional update with a lease, so that a node that dies gives it back.
 */
export interface Job<Services> {
  readonly name: string;
  /** How long to wait after a turn that found nothing, in milliseconds. */
  readonly everyMs: number;
  /** Takes one turn and tells how much was done; the next turn follows at once while there is more. */
  readonly run: (services: Services) => Promise<number>;
}
