import { readFile } from 'node:fs/promises';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { blockOf, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { COMMANDS } from './commands.js';
import { findManifestFaults } from './test/find-manifest-faults.js';
import { type Manifest, readManifests } from './test/read-manifests.js';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const files = await readManifests();
const objects = [...files].flatMap(([name, all]) => (name === 'kustomization.yaml' ? [] : all));
const ofKind = (kind: string) => objects.filter((each) => each.kind === kind);

const probe = z.object({
  httpGet: z.object({ path: z.string(), port: z.string() }),
  periodSeconds: z.number(),
  failureThreshold: z.number(),
});
const podSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    automountServiceAccountToken: z.literal(false),
    securityContext: z.looseObject({ runAsNonRoot: z.literal(true) }),
    terminationGracePeriodSeconds: z.number().optional(),
    volumes: z.array(z.looseObject({ name: z.string() })),
    containers: z.tuple([
      z.looseObject({
        image: z.literal('gatehouse'),
        args: z.array(z.string()),
        env: z.undefined().optional(),
        envFrom: z.array(z.strictObject({ configMapRef: z.object({ name: z.string() }) })),
        ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
        startupProbe: probe.optional(),
        livenessProbe: probe.optional(),
        readinessProbe: probe.optional(),
        resources: z.object({ limits: z.object({ memory: z.string() }) }),
        securityContext: z.looseObject({
          readOnlyRootFilesystem: z.literal(true),
          allowPrivilegeEscalation: z.literal(false),
          capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
        }),
        volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
      }),
    ]),
  }),
});
const withTemplate = z.object({ template: podSchema });
const servicesPods = ofKind('Deployment').map(({ metadata, spec }) => ({
  name: metadata?.name,
  pod: withTemplate.parse(spec).template,
}));
const operatorsPods = [
  ...ofKind('Job').map(({ spec }) => withTemplate.parse(spec).template),
  ...ofKind('CronJob').map(
    ({ spec }) =>
      z.object({ jobTemplate: z.object({ spec: withTemplate }) }).parse(spec).jobTemplate.spec.template,
  ),
];
const variablesOf = (name: string | undefined) =>
  z
    .record(z.string(), z.string())
    .parse(ofKind('ConfigMap').find(({ metadata }) => metadata?.name === name)?.['data']);

describe('the manifests for Kubernetes', () => {
  it('are all in the kustomization, and match the schema of Kubernetes', () => {
    const [kustomization] = files.get('kustomization.yaml') ?? [];
    const { resources } = z.object({ resources: z.array(z.string()) }).parse(kustomization);
    expect([...resources, 'kustomization.yaml'].sort()).toEqual([...files.keys()].sort());
    expect(findManifestFaults(objects)).toEqual([]);
  }, 60_000);

  it('are refused with an unknown field, a missing one, or one of another type', () => {
    const [deployment] = ofKind('Deployment');
    const change = (from: RegExp, to: string): Manifest => ({
      ...z
        .looseObject({ apiVersion: z.string(), kind: z.string() })
        .parse(JSON.parse(JSON.stringify(deployment).replace(from, to))),
    });
    const faults = findManifestFaults([
      change(/"readinessProbe"/, '"readynessProbe"'),
      change(/"containers"/, '"container"'),
      change(/"maxSkew":1/, '"maxSkew":"1"'),
    ]);
    expect(faults).toHaveLength(3);
    expect(faults[0]).toContain('readynessProbe');
    expect(faults[1]).toContain('container');
    expect(faults[2]).toContain("'string' is not assignable to type 'number'");
  }, 60_000);

  it('set variables that the services read, with values that they accept', async () => {
    const known = new Set(
      (await read('.env.example'))
        .match(/^#? ?([A-Z][A-Z0-9_]+)(?==)/gm)
        ?.map((each) => each.replace(/^#? ?/, '')),
    );
    for (const { pod } of servicesPods) {
      const [{ envFrom }] = pod.spec.containers;
      const env = Object.fromEntries(
        envFrom.flatMap(({ configMapRef }) => Object.entries(variablesOf(configMapRef.name))),
      );
      expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
      const { JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY } = testEnvironment();
      const secrets = {
        JWT_SECRET_KEY,
        SESSION_SECRET,
        DATA_ENCRYPTION_KEY,
        SMTP_URL: 'smtp://mail.example.com',
      };
      const config = readConfig(configShape, { NODE_ENV: 'production', ...env, ...secrets });
      expect(config.METRICS_HOST).toBe('0.0.0.0');
    }
  });

  it('start what the image starts, at its port, and probe paths that every service answers', async () => {
    const image = await read('deploy/Dockerfile');
    const [, port] = /^ENV .*\bPORT=(\d+)$/m.exec(image) ?? [];
    const paths = await read('packages/http/src/describe-service.ts');
    expect(servicesPods.map(({ name }) => name)).toEqual(['api-admin', 'api-main']);
    for (const { name, pod } of servicesPods) {
      const [{ args, ports, ...container }] = pod.spec.containers;
      const command = JSON.stringify(args).replaceAll(',', ', ');
      expect(image).toContain(`CMD ${command.replace('api-admin', 'api-main')}`);
      expect(args[1]).toBe(`apps/${name}/dist/main.js`);
      expect(ports).toEqual([
        { name: 'http', containerPort: Number(port) },
        { name: 'figures', containerPort: Number(variablesOf('gatehouse')['METRICS_PORT']) },
      ]);
      const asked = [container.startupProbe, container.livenessProbe, container.readinessProbe];
      expect(asked.map((each) => each?.httpGet)).toEqual([
        { path: '/healthz', port: 'http' },
        { path: '/healthz', port: 'http' },
        { path: '/readyz', port: 'http' },
      ]);
    }
    expect(paths).toContain("raw(['GET'], '/healthz', ");
    expect(paths).toContain("raw(['GET'], '/readyz', ");
    for (const { spec } of operatorsPods) {
      const [node, program, ...words] = spec.containers[0].args;
      expect([node, program]).toEqual(['node', 'tooling/cli/dist/main.js']);
      expect(COMMANDS.map(({ name }) => name)).toContain(words.join(' '));
    }
  });

  it('stop Pods only after the services have stopped, which answer until each proxy knows that they stop', async () => {
    const source = await read('packages/features/src/deployment/run-service.ts');
    const stopMs = Number(/STOP_TIMEOUT_MS = ([\d_]+)/.exec(source)?.[1]?.replaceAll('_', ''));
    const [, grace] = /stop_grace_period: (\d+)s/.exec(await read('compose.yaml')) ?? [];
    const delayMs = Number(variablesOf('gatehouse')['SHUTDOWN_DELAY_MS']);
    for (const { name, pod } of servicesPods) {
      const { terminationGracePeriodSeconds = 0, containers } = pod.spec;
      expect(terminationGracePeriodSeconds).toBe(Number(grace));
      expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(stopMs);
      expect(stopMs - delayMs).toBeGreaterThanOrEqual(15_000);
      const { periodSeconds = 0, failureThreshold = 0 } = containers[0].readinessProbe ?? {};
      expect(periodSeconds * failureThreshold * 1_000).toBeLessThan(delayMs);
      const unit = await read(`deploy/systemd/gatehouse-${name}.service`);
      expect(unit).toContain(`MemoryMax=${containers[0].resources.limits.memory.replace('Mi', 'M')}`);
    }
  });

  it('let a machine be drained while the database is down, when no Pod is ready', () => {
    const budgets = ofKind('PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata?.name)).toEqual(['api-admin', 'api-main']);
    for (const { spec } of budgets)
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('provide secrets only as files, and those of migrations to no service', () => {
    expect(ofKind('Secret')).toEqual([]);
    const secretsOf = (pod: z.output<typeof podSchema>) => {
      const [{ volumeMounts }] = pod.spec.containers;
      const name = volumeMounts.find(({ mountPath }) => mountPath === '/run/secrets')?.name;
      const volume = JSON.stringify(pod.spec.volumes.find((each) => each.name === name));
      return [...volume.matchAll(/"(?:secretName|name)":"(gatehouse[a-z-]*)"/g)].map(([, secret]) => secret);
    };
    for (const { pod } of servicesPods) expect(secretsOf(pod)).toEqual(['gatehouse']);
    for (const pod of operatorsPods) expect(secretsOf(pod)).toEqual(['gatehouse', 'gatehouse-migration']);
  });

  it('read secrets from a folder that neither Git nor the image includes', async () => {
    const commands = blockOf('docs/kubernetes.md', 'deploy/make-secrets');
    const [, folder] = /deploy\/make-secrets \.\/(\S+)/.exec(commands) ?? [];
    expect((await read('.gitignore')).split('\n')).toContain(`${folder}/`);
    expect((await read('deploy/Dockerfile.dockerignore')).split('\n')).toContain(folder);
  });

  it('are scraped at the one port that the policies open to Prometheus', () => {
    const rule = z.object({ source_labels: z.array(z.string()), regex: z.string(), action: z.string() });
    const { scrape_configs: jobs } = z
      .object({
        scrape_configs: z.array(z.object({ job_name: z.string(), relabel_configs: z.array(rule) })),
      })
      .parse(parse(blockOf('docs/kubernetes.md', 'scrape_configs:')));
    const kept = jobs.map(({ job_name: job, relabel_configs: [first] }) => ({
      job,
      ports: servicesPods.flatMap(({ name, pod }) =>
        pod.spec.containers[0].ports
          .filter((port) => new RegExp(`^(?:${first?.regex})$`).test(`${name};${port.name}`))
          .map((port) => `${name} ${port.name}`),
      ),
    }));
    expect(kept).toEqual([
      { job: 'gatehouse-api-main', ports: ['api-main figures'] },
      { job: 'gatehouse-api-admin', ports: ['api-admin figures'] },
    ]);
  });

  it('refer to each other by existing names', () => {
    const podNames = [...servicesPods.map(({ pod }) => pod), ...operatorsPods].map(
      ({ metadata }) => metadata.labels['app.kubernetes.io/name'],
    );
    const named = objects
      .filter(({ kind }) => ['Service', 'PodDisruptionBudget', 'NetworkPolicy'].includes(kind))
      .flatMap(({ spec }) => [...JSON.stringify(spec).matchAll(/"app\.kubernetes\.io\/name":"([^"]+)"/g)])
      .map(([, name]) => name);
    expect(named.filter((name) => !podNames.includes(name))).toEqual([]);
    const services = ofKind('Service').map(({ metadata }) => metadata?.name);
    const [ingress] = ofKind('Ingress');
    const behind = [...JSON.stringify(ingress?.['spec']).matchAll(/"service":\{"name":"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(new Set(behind)).toEqual(new Set(services));
    const scaled = ofKind('HorizontalPodAutoscaler').map(({ spec }) =>
      z
        .object({ scaleTargetRef: z.object({ name: z.string() }), minReplicas: z.number().min(2) })
        .parse(spec),
    );
    expect(scaled.map(({ scaleTargetRef }) => scaleTargetRef.name)).toEqual(['api-main']);
  });
});
