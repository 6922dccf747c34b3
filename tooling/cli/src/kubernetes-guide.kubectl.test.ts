// @module-tag slow

import { execFile } from 'node:child_process';
import { symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { blockOf, createTestFolder } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { findManifestFaults } from './test/find-manifest-faults.js';
import { readManifests } from './test/read-manifests.js';
import { startCluster } from './test/start-cluster.js';
import { startMailServer } from './test/start-mail-server.js';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

const guide = (text: string) => blockOf('docs/kubernetes.md', text);

it('the commands of the guide to Kubernetes start, change, stop and restore everything', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  await using mails = await startMailServer();
  const manifests = [...(await readManifests())].flatMap(([name, all]) =>
    name === 'kustomization.yaml' ? [] : all,
  );
  await using cluster = await startCluster(manifests);
  const { objects } = cluster;
  for (const name of ['deploy', 'tooling']) await symlink(`${REPOSITORY}${name}`, `${folder.path}/${name}`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server: cluster.url } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    users: [{ name: 'test', user: {} }],
    'current-context': 'test',
  };
  // JSON is YAML.
  await writeFile(`${folder.path}/config`, JSON.stringify(config));
  const follow = async (commands: string, more: Readonly<Record<string, string>> = {}) => {
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder.path,
      KUBECONFIG: `${folder.path}/config`,
      ...more,
    };
    const script = ['--norc', '-eu', '-o', 'pipefail', '-c', commands];
    return (await promisify(execFile)('bash', script, { cwd: folder.path, env })).stdout;
  };

  await follow(guide('deploy/make-secrets'));
  const keysOf = (name: string) =>
    Object.keys(z.record(z.string(), z.string()).parse(objects.get(name)?.['data']));
  expect(keysOf('secrets/gatehouse').toSorted()).toEqual(
    ['DATABASE_URL', 'DATA_ENCRYPTION_KEY', 'JWT_SECRET_KEY', 'SESSION_SECRET', 'SMTP_URL'].toSorted(),
  );
  expect(keysOf('secrets/gatehouse-migration')).toEqual(['MIGRATION_DATABASE_URL']);

  const started = await follow(guide('--for condition=complete'));
  expect(started).toContain('job.batch/migrate condition met');
  expect(started).toContain('deployment "api-admin" successfully rolled out');
  const named = manifests.map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
  const kept = [...objects.values()].map(({ kind, metadata: { name } }) => `${kind} ${name}`);
  expect(kept.filter((each) => !each.startsWith('Secret')).toSorted()).toEqual(named.toSorted());

  expect(await follow(guide('delete job migrate'))).toContain('job.batch/migrate created');
  const restarted = await follow(guide('kubectl replace'));
  expect(restarted).toContain('secret/gatehouse replaced');
  expect(restarted).toContain('deployment.apps/api-main restarted');

  const replicasOf = () =>
    ['api-main', 'api-admin'].map((name) => objects.get(`deployments/${name}`)?.spec?.replicas);
  await follow(guide('--replicas 0'));
  expect([replicasOf(), objects.get('cronjobs/prune-audit')?.spec?.['suspend']]).toEqual([[0, 0], true]);
  expect(objects.has('horizontalpodautoscalers/api-main')).toBe(false);
  await follow(guide('--replicas 2'));
  expect([replicasOf(), objects.get('cronjobs/prune-audit')?.spec?.['suspend']]).toEqual([[2, 2], false]);
  expect(objects.has('horizontalpodautoscalers/api-main')).toBe(true);
  const applied = [...objects.values()].filter(({ kind }) => kind !== 'Secret');
  expect(findManifestFaults(applied)).toEqual([]);

  // There is no Pod: `exec` runs its command here, with what a Pod gets.
  const exec = `kubectl() { shift 5; CREDENTIALS_DIRECTORY=kubernetes-secrets "$@"; }`;
  const secrets = `${folder.path}/kubernetes-secrets`;
  await follow('chmod 700 kubernetes-secrets/*');
  await writeFile(`${secrets}/DATABASE_URL`, `file:${folder.path}/gatehouse.db`);
  await writeFile(`${secrets}/SMTP_URL`, mails.url);
  const variables = ['configmaps/gatehouse', 'configmaps/gatehouse-api-admin'].map((name) =>
    z.record(z.string(), z.string()).parse(objects.get(name)?.['data']),
  );
  const [define = '', doctor = ''] = guide('gatehouse doctor').split(/(?=^gatehouse doctor)/m);
  const env = Object.assign({}, ...variables) as Record<string, string>;
  const said = await follow(`${exec}\n${define}\ngatehouse migrate\n${doctor}`, env);
  expect(said).toContain('Added ada@example.com');
});
