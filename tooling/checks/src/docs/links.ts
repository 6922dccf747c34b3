import { posix } from 'node:path';
import type { Finding } from '../check.js';
import type { Repository } from '../repository.js';
import { documentPaths } from './document-paths.js';
import { readMarkdown } from './read-markdown.js';

/** Relative links without a target: a file of the repository, or a heading in it. */
export function brokenLinks(repository: Repository): Finding[] {
  return documentPaths(repository).flatMap((path) =>
    readMarkdown(repository.read(path)).links.flatMap(({ line, text }) => {
      const fault = /^[a-z][a-z0-9+.-]*:/i.test(text) ? undefined : faultOf(repository, path, text);
      return fault === undefined ? [] : [{ path, line, message: fault }];
    }),
  );
}

function faultOf(repository: Repository, from: string, link: string): string | undefined {
  const [file = '', fragment] = link.split('#');
  const target =
    file === '' ? from : posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(file)));
  const folder = target.replace(/\/?$/, '/');
  if (!repository.paths.includes(target)) {
    return repository.paths.some((path) => path.startsWith(folder))
      ? undefined
      : `${link} leads nowhere: ${target} does not exist`;
  }
  if (fragment === undefined || !target.endsWith('.md')) return undefined;
  const { anchors } = readMarkdown(repository.read(target));
  return anchors.has(fragment)
    ? undefined
    : `${link} leads nowhere: ${target} has no heading for #${fragment}`;
}
