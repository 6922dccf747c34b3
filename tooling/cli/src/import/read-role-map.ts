import { ROLE_NAMES, type Roles } from '@gatehouse/auth-core';
import type { CommandContext } from '../command.js';
import { CommandError } from '../command-error.js';
import { readList } from '../read-list.js';

/** The numbers of our roles, by the names of those of another system. */
export type RoleMap = ReadonlyMap<string, number>;

/** The name in a map that stands for every role that it does not list. */
export const EVERY_OTHER = '*';

const PAIR = /^\s*(?:"([^"]*)"|'([^']*)'|([^'"#:{}\s](?:[^#:]|:(?!\s))*?))\s*:\s+(\S.*)$/;

/**
 * Reads the role here for each role there: a JSON object, or lines of YAML such as `editor: 3` or `editor: contributor`. Blank
 * lines and comments are skipped.
 * @throws {CommandError} for any other line, and for a role that is not ours
 */
export async function readRoleMap(
  context: CommandContext,
  named: string | undefined,
  roles: Roles,
): Promise<RoleMap> {
  const map = new Map<string, number>();
  if (named === undefined) return map;
  const lines: string[] = [];
  for await (const { number, text, problem } of readList(context, named)) {
    if (text === undefined) throw new CommandError(`${named}, line ${number}: ${problem}.`);
    lines.push(text);
  }
  for (const [there, here] of named.endsWith('.json')
    ? pairsOfJson(named, lines.join('\n'))
    : pairsOfYaml(named, lines)) {
    const number = roleNumber(here, roles);
    if (number === undefined)
      throw new CommandError(
        `${named}: ${there} is mapped to ${here}, which is no role here: ${ROLE_NAMES.join(', ')}, or a number of one.`,
      );
    map.set(there, number);
  }
  return map;
}

function pairsOfJson(named: string, text: string): [string, string][] {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CommandError(`${named} is no JSON object of roles.`);
  return Object.entries(parsed).map(([there, here]) => [there, String(here)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pairsOfYaml(named: string, lines: readonly string[]): [string, string][] {
  return lines.flatMap((line, at): [string, string][] => {
    if (line.trim() === '' || line.trimStart().startsWith('#') || line.trim() === '---') return [];
    const [, double, single, plain, value = ''] = PAIR.exec(line) ?? [];
    const there = double ?? single ?? plain;
    if (there === undefined)
      throw new CommandError(`${named}, line ${at + 1}: is not of the form "role there: role here".`);
    return [[there, value.replace(/\s+#.*$/, '').replace(/^(['"])(.*)\1$/, '$2')]];
  });
}

function roleNumber(text: string, roles: Roles): number | undefined {
  const name = ROLE_NAMES.find((each) => each === text);
  if (name !== undefined) return roles.id[name];
  const number = /^\d+$/.test(text) ? Number(text) : undefined;
  return number !== undefined && roles.nameOf(number) !== undefined ? number : undefined;
}
