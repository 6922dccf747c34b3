interface Section {
  readonly title: string;
  readonly groups: Group[];
}

/** Adjacent variables, with the comment above them. */
interface Group {
  readonly text: string;
  readonly variables: Variable[];
}

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly isOptional: boolean;
}

/** The table of variables from `.env.example`, which a check keeps complete. A variable listed twice appears once. */
export function renderConfiguration(example: string): string {
  const told = new Set<string>();
  const sections = readSections(example).map(({ title, groups }) => {
    const rows = groups.flatMap(({ text, variables }) =>
      variables
        .filter(({ name }) => !told.has(name))
        .map(({ name, value, isOptional }, index) => {
          told.add(name);
          const meaning = index === 0 ? text.replaceAll('|', '\\|') : 'as above';
          return `| \`${name}\` | ${defaultOf(value, isOptional)} | ${meaning} |`;
        }),
    );
    if (rows.length === 0) return '';
    return [`## ${title}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n');
  });
  return `${[HEADING, ...sections.filter((section) => section !== '')].join('\n')}`;
}

const HEADING = `# Configuration

Every variable that the services read, rendered from \`.env.example\` by \`pnpm docs:render\`. A service that finds a wrong one does
not start, and names all that are wrong, without any value. [Operations](operations.md) says how secrets are kept in files and
changed. A dash means that there is no default. An empty variable counts as unset.
`;

function defaultOf(value: string, isOptional: boolean): string {
  if (!isOptional) return '**must be set**';
  return value === '' ? '–' : `\`${value}\``;
}

function readSections(example: string): Section[] {
  const sections: Section[] = [];
  let comment: string[] = [];
  let group: Group | undefined;
  for (const line of example.split('\n')) {
    const title = /^# --- (.+?) -+$/.exec(line)?.[1];
    const [, mark, name, value = ''] = /^(# ?)?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) {
      sections.push({ title, groups: [] });
      comment = [];
      group = undefined;
    } else if (name !== undefined) {
      if (group === undefined) {
        group = { text: comment.join(' '), variables: [] };
        sections.at(-1)?.groups.push(group);
      }
      group.variables.push({ name, value, isOptional: mark !== undefined });
    } else if (line.startsWith('#')) {
      if (group !== undefined) comment = [];
      group = undefined;
      comment.push(line.replace(/^# ?/, ''));
    } else {
      comment = [];
      group = undefined;
    }
  }
  return sections;
}
