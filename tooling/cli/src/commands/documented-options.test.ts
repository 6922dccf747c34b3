import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMMANDS } from '../commands.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The code of a document: the text between two backticks, and each line between two fences. */
function codeIn(markdown: string): string[] {
  const fenced: string[] = [];
  const rest = markdown.replaceAll(/^ *```.*\n([\s\S]*?)^ *```$/gm, (_, lines: string) => {
    fenced.push(...lines.replaceAll(/\\\n/g, ' ').split('\n'));
    return '';
  });
  return [...fenced, ...[...rest.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replaceAll('\n', ' '))];
}

/** The options of each command. */
async function readOptions(): Promise<ReadonlyMap<string, readonly string[]>> {
  const all = COMMANDS.map(async (command) => {
    const said: string[] = [];
    await command.run({
      args: ['--help'],
      env: {},
      say: (line) => void said.push(line),
      draw: () => undefined,
    });
    return [command.name, said.flatMap((line) => /^ +(--[\w-]+)/.exec(line)?.[1] ?? [])] as const;
  });
  return new Map(await Promise.all(all));
}

it('every command and option of the operator that a document names exists', async () => {
  const options = await readOptions();
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  const found: string[] = [];
  let count = 0;
  for (const document of documents)
    for (const code of codeIn(await readFile(`${ROOT}${document}`, 'utf8')))
      for (const [, name = '', args = ''] of code.matchAll(
        /(?<=^|[;&|] |pnpm(?:@10)? -s |development )gatehouse ([a-z][a-z-]+)((?: [^;&|#`]*)?)/g,
      )) {
        const known = options.get(name);
        if (known === undefined) found.push(`${document}: there is no command ${name}`);
        for (const [option] of args.matchAll(/(?<= )--[a-z][\w-]*/g)) {
          count += 1;
          if (known?.includes(option) === false) found.push(`${document}: ${name} has no option ${option}`);
        }
      }
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(50);
});
