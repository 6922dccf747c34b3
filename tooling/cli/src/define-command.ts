import { parseArgs } from 'node:util';
import type { Command, CommandContext } from './command.js';
import { nearestName } from './nearest-name.js';

/** An option of a command, as `--name` or `--name <value>`; one without a value is switched off by `--no-name`. */
interface OptionRow {
  readonly type: 'boolean' | 'string';
  /** The text after the name in the help. */
  readonly value?: string;
  readonly about: string;
  readonly default?: string | boolean;
}

type OptionTable = Readonly<Record<string, OptionRow>>;

interface Definition<Options extends OptionTable> {
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name, one form per line; a single empty one by default. */
  readonly usage?: readonly string[];
  readonly options?: Options;
  /** How many positional arguments it takes; none by default. */
  readonly words?: { readonly least: number; readonly most: number };
  run(context: CommandContext, given: Given<Options>): Promise<number>;
}

interface Given<Options extends OptionTable> {
  readonly values: { readonly [Name in keyof Options]: ValueOf<Options[Name]> };
  readonly positionals: readonly string[];
}

type ValueOf<Row extends OptionRow> =
  | (Row['type'] extends 'boolean' ? boolean : string)
  | (Row extends { readonly default: string | boolean } ? never : undefined);

/**
 * Makes a self-describing command. `--help` only prints its usage. An invalid argument gets a sentence, the
 * usage, and exit code 2.
 */
export function defineCommand<const Options extends OptionTable = Record<never, OptionRow>>(
  definition: Definition<Options>,
): Command {
  const { name, summary, usage = [''], words = { least: 0, most: 0 } } = definition;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without a table the type parameter is its default, of which an empty object is one
  const options = definition.options ?? ({} as Options);
  const usageLines = usage.map((line, at) =>
    `${at === 0 ? 'usage:' : '      '} gatehouse ${name} ${line}`.trimEnd(),
  );
  return {
    name,
    summary,
    async run(context) {
      if (asksForHelp(context.args)) {
        for (const line of [summary, '', ...usageLines, '', ...describeOptions(options)]) context.say(line);
        return 0;
      }
      const given = attempt(() => parse(context.args, options));
      const refusal =
        'refusal' in given ? explain(given.refusal, options) : countRefusal(given.positionals.length, words);
      if (refusal !== undefined || 'refusal' in given) {
        for (const line of [`gatehouse ${name}: ${refusal}`, ...usageLines]) context.say(line);
        return 2;
      }
      return definition.run(context, given);
    },
  };
}

function parse<Options extends OptionTable>(args: readonly string[], options: Options): Given<Options> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parseArgs gives each option of the table the type its row states, and throws otherwise
  return parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    allowNegative: true,
  }) as unknown as Given<Options>;
}

function attempt<Answer>(read: () => Answer): Answer | { refusal: Error } {
  try {
    return read();
  } catch (error) {
    const isAboutArgs =
      error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
    if (!isAboutArgs) throw error;
    return { refusal: error };
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((each) => each === '--help' || each === '-h');
}

/** Node's own messages include advice on positional arguments. */
function explain({ message }: Error, options: OptionTable): string {
  const unknown = /^Unknown option '(-[^']*)'/.exec(message)?.[1];
  if (unknown === undefined) return (message.split(/\.\s|\n/)[0] ?? message).replace(/\.?$/, '.');
  const names = Object.keys(options).map((name) => `--${name}`);
  const nearest = nearestName(unknown, names);
  const known =
    names.length === 0 ? 'It takes none but --help.' : `It takes ${[...names, '--help'].join(', ')}.`;
  return `there is no option ${unknown}. ${nearest === undefined ? known : `Did you mean ${nearest}? ${known}`}`;
}

function countRefusal(count: number, { least, most }: { least: number; most: number }): string | undefined {
  if (count > most)
    return most === 0 ? 'takes no words but options.' : `takes ${most} at most, and was given ${count}.`;
  return count < least ? 'something is missing.' : undefined;
}

function describeOptions(options: OptionTable): string[] {
  const rows = Object.entries(options).map(([name, { value, about }]) => ({
    flag: value === undefined ? `--${name}` : `--${name} ${value}`,
    about,
  }));
  const all = [...rows, { flag: '--help', about: 'print this and do nothing' }];
  const width = Math.max(...all.map(({ flag }) => flag.length));
  return all.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}`);
}
