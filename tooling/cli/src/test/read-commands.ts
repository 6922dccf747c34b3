/** The commands `gatehouse …` of a block of a document, each as its arguments, and the lines around them. */
export function readCommands(block: string): { readonly commands: string[][]; readonly others: string } {
  const lines = block.replaceAll(/\\\n/g, ' ').split('\n');
  const found = lines.map((line) => /^(?:(?:npx --yes )?pnpm(?:@10)? -s )?gatehouse (.+)$/.exec(line)?.[1]);
  return {
    commands: found.flatMap((rest) =>
      rest === undefined
        ? []
        : [
            rest
              .replace(/ +[#|>].*$/, '')
              .trim()
              .split(/\s+/),
          ],
    ),
    others: lines.filter((_, at) => found[at] === undefined).join('\n'),
  };
}
