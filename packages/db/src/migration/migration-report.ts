/** The result of a run of the migrations. */
export interface MigrationReport {
  /** Names of the migrations this run completed, oldest first. */
  applied: string[];
  /** How many migrations the database has now. */
  total: number;
}
