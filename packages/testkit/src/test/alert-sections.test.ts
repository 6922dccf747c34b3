import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROMETHEUS_FOLDER, readAlertRules } from '../shown-queries.js';

const GUIDE = new URL('../../../../docs/operations.md', import.meta.url);

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

it('each alert links to its own section in the guide to operations, and each of these sections has an alert', () => {
  const alerts = readAlertRules().map(({ name }) => name);
  expect(found(readFileSync(GUIDE, 'utf8'), /^### (Gatehouse\w+)$/gm)).toEqual(alerts);
  const rules = readFileSync(`${PROMETHEUS_FOLDER}alerts.yml`, 'utf8');
  expect(found(rules, /^ +runbook: docs\/operations\.md#(\w+)$/gm)).toEqual(
    alerts.map((name) => name.toLowerCase()),
  );
});
