import { expect, it } from 'vitest';
import { repositoryOf } from '../repository.js';
import { alertSections } from './alert-sections.js';

const rule = (name: string, anchor = name.toLowerCase()) =>
  [
    `      - alert: ${name}`,
    '        expr: up == 0',
    '        annotations:',
    `          runbook: docs/operations.md#${anchor}`,
  ].join('\n');

const findingsIn = (rules: string, sections: string) =>
  alertSections
    .run(
      repositoryOf({
        'deploy/prometheus/alerts.yml': `groups:\n  - rules:\n${rules}`,
        'docs/operations.md': `# Operations\n## What to do for each alert\n${sections}\n## Next\n### Other`,
      }),
    )
    .map(({ path, line, message }) => `${path}:${line} ${message}`);

it('gives each alert its section, and each section its alert', () => {
  expect(findingsIn(rule('Down'), '### Down\nStart it.')).toEqual([]);
  expect(findingsIn(rule('Down'), '### Up')).toEqual([
    'deploy/prometheus/alerts.yml:3 docs/operations.md does not say what to do for Down',
    'docs/operations.md:3 there is no alert Up',
  ]);
  expect(findingsIn(rule('Down', 'up'), '### Down')).toEqual([
    'deploy/prometheus/alerts.yml:3 Down does not point to its section',
  ]);
});
