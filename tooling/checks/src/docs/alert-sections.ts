import type { Check } from '../check.js';

const ALERTS = 'deploy/prometheus/alerts.yml';
const GUIDE = 'docs/operations.md';
const CHAPTER = 'What to do for each alert';

/** Each alert has its section in the guide, to which it points, and each section its alert. */
export const alertSections: Check = {
  name: 'alert-sections',
  run: (repository) => {
    const rules = repository.read(ALERTS).split('\n');
    const guide = repository.read(GUIDE).split('\n');
    const begin = guide.indexOf(`## ${CHAPTER}`);
    const end = guide.findIndex((text, index) => index > begin && text.startsWith('## '));
    const sections = guide.slice(begin, end).flatMap((text, index) => {
      const name = /^### (.+)$/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, line: begin + index + 1 }];
    });
    const alerts = rules.flatMap((text, index) => {
      const name = /^ *- alert: (.+)$/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, line: index + 1 }];
    });
    return [
      ...alerts
        .filter(({ name }) => !sections.some((section) => section.name === name))
        .map(({ name, line }) => ({
          path: ALERTS,
          line,
          message: `${GUIDE} does not say what to do for ${name}`,
        })),
      ...alerts
        .filter(({ name }) => !rules.includes(`          runbook: ${GUIDE}#${name.toLowerCase()}`))
        .map(({ name, line }) => ({ path: ALERTS, line, message: `${name} does not point to its section` })),
      ...sections
        .filter(({ name }) => !alerts.some((alert) => alert.name === name))
        .map(({ name, line }) => ({ path: GUIDE, line, message: `there is no alert ${name}` })),
    ];
  },
};
