/** A command's input: its arguments, the environment, and its output to the operator. */
export interface CommandContext {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes one line for a person. */
  say(line: string): void;
  /** On a terminal, shows a line until the next one; elsewhere writes a line now and then. */
  draw(line: string): void;
}

/** One command of the operator's command line. `run` resolves to the exit code. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  run(context: CommandContext): Promise<number>;
}
