/** What an action did. */
export interface Told {
  readonly notice: string;
  /** A secret that is shown only now. */
  readonly secret?: string;
}
