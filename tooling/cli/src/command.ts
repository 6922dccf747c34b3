/** What a command is given: its arguments, the environment, and where it tells the operator something. */
export interface CommandContext {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line for a person. */
  say(line: string): void;
  /** Shows a line until the next one, where a terminal can; elsewhere one now and then is written. */
  draw(line: string): void;
}

/** One word of the operator's command line. `run` resolves to the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  run(context: CommandContext): Promise<number>;
}
