import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A kind of reader of the documents. Files are named from the root of the repository. */
interface Reader {
  readonly name: string;
  /** What the documents do for them, in one sentence. */
  readonly about: string;
  /** The pages to begin with: the label, the file and, if there is one, the heading in it. */
  readonly first: readonly (readonly [label: string, target: string])[];
  readonly files: readonly string[];
  /** Files that are shown below a heading of their own. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

const ROOT = new URL('../../../', import.meta.url);

export const repositoryRoot: string = fileURLToPath(ROOT);

const documents = (...names: string[]) => names.map((name) => `docs/${name}.md`);

/** The Markdown files of a folder, in the order of their names. */
const filesIn = (folder: string) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => folder + name);

/** All pages, each in the group of one reader: the sidebar and the start page are made from this. */
export const READERS: readonly Reader[] = [
  {
    name: 'Front end',
    about: 'You build the pages on which people sign in, manage their team and pay.',
    first: [
      ['A first login', 'README.md#a-first-login'],
      ['The typed client', 'packages/client-sdk/README.md'],
      ['Sessions', 'docs/sessions.md'],
    ],
    files: [
      'README.md',
      'packages/client-sdk/README.md',
      ...documents('endpoints', 'sessions', 'joining', 'social', 'second-factor', 'passkeys', 'profile'),
      ...documents('accounts', 'invitations', 'reading', 'payments', 'enterprise'),
    ],
    more: {
      Examples: [
        'examples/react-vite/README.md',
        'examples/nextjs/README.md',
        'examples/express-sign-in/README.md',
      ],
    },
  },
  {
    name: 'Your own API',
    about: 'Your server answers people, programs and agents that Gatehouse has signed in.',
    first: [
      ['Your own API', 'docs/your-own-api.md'],
      ['Machines and API keys', 'docs/machines.md'],
      ['Events', 'docs/events.md'],
    ],
    files: documents('your-own-api', 'machines', 'applications', 'events', 'agents'),
    more: { Examples: ['examples/own-api/README.md', 'examples/mcp-server/README.md'] },
  },
  {
    name: 'Partner',
    about: 'You register users of your own and sign them on.',
    first: [
      ['What a partner can do', 'docs/partners.md'],
      ['The same in TypeScript', 'docs/partners.md#example-in-typescript'],
      ['What each call does', 'docs/partners.md#what-each-call-does'],
    ],
    files: documents('partners'),
  },
  {
    name: 'Operator',
    about: 'You run the services and the database, and move people in.',
    first: [
      ['What there is to run', 'docs/operations.md#what-there-is-to-run'],
      ['Configuration', 'docs/configuration.md'],
      ['Security', 'SECURITY.md'],
    ],
    files: [
      ...documents('operations', 'configuration', 'kubernetes', 'scaling', 'security-events', 'brand'),
      'SECURITY.md',
      'CHANGELOG.md',
    ],
    more: {
      'Moving in and out': [
        ...documents('moving', 'shadow', 'importing'),
        ...filesIn('docs/importing/'),
        ...documents('exporting'),
      ],
      'What it costs': [...documents('performance'), ...filesIn('docs/bench/')],
    },
  },
  {
    name: 'Staff',
    about: 'You support members, accounts and partners.',
    first: [
      ['The console', 'apps/console/README.md'],
      ['Permissions', 'docs/permissions.md'],
      ['The admin service', 'docs/admin-service.md'],
    ],
    files: ['apps/console/README.md', ...documents('admin-service', 'permissions', 'analysis')],
  },
  {
    name: 'Maintainer',
    about: 'You change Gatehouse itself, and release it.',
    first: [
      ['Architecture', 'ARCHITECTURE.md'],
      ['Contributing', 'CONTRIBUTING.md'],
      ['The tables', 'docs/schema.md'],
    ],
    files: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'apps/portal/README.md',
      ...documents('schema', 'stress', 'releasing'),
      'packages/client-sdk/CHANGELOG.md',
    ],
    more: { Decisions: filesIn('docs/adr/') },
  },
];

/** Every file that is a page. */
export const PAGES: readonly string[] = READERS.flatMap(({ files, more = {} }) => [
  ...files,
  ...Object.values(more).flat(),
]);

const NAMED_PATHS: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'packages/client-sdk/README.md': 'client-sdk.md',
  'packages/client-sdk/CHANGELOG.md': 'client-sdk-changes.md',
  'apps/console/README.md': 'console.md',
  'apps/portal/README.md': 'portal.md',
  'tooling/site/index.md': 'index.md',
};

/** Where a file is on the site: `docs/events.md` is `events.md`, an example's README is `examples/` and its name. */
export function pagePath(file: string): string {
  return (
    NAMED_PATHS[file] ??
    file
      .replace(/^docs\//, '')
      .replace(/\/README\.md$/, '.md')
      .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase())
  );
}

/** The path of a page without its ending, for a file and perhaps a heading in it. */
export function pageLink(target: string): string {
  const [file = '', fragment] = target.split('#');
  return `/${pagePath(file).replace(/\.md$/, '')}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The first heading of a file. */
export function titleOf(file: string): string {
  const title = /^# (.+)$/m.exec(readFileSync(new URL(file, ROOT), 'utf8'))?.[1];
  if (title === undefined) throw new Error(`${file} has no first heading`);
  return title.replaceAll('`', '');
}

export const isFile = (path: string): boolean => existsSync(new URL(path, ROOT));
