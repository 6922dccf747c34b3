import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { Manifest } from './read-manifests.js';

const stored = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), generation: z.number().default(0) }),
  spec: z.looseObject({ replicas: z.number().optional() }).optional(),
});

type Stored = z.output<typeof stored>;

/** As much of the API of a cluster as kubectl needs for the commands of the guide. */
export interface Cluster extends AsyncDisposable {
  readonly url: string;
  /** Every object by its plural and name, as in `deployments/api-main`. */
  readonly objects: ReadonlyMap<string, Stored>;
}

const pluralOf = (kind: string) => `${kind.toLowerCase().replace(/y$/, 'ie').replace(/s$/, 'se')}s`;

const PLACE =
  /^\/(?:api|apis\/[^/]+)\/[^/]+(?:\/namespaces\/[^/]+(?=\/))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/;

const failure = (code: number, reason: string) => ({
  code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message: reason, code },
});

/** Starts a cluster without objects, which knows the kinds of the manifests and secrets. What it keeps is ready at once. */
export async function startCluster(manifests: readonly Manifest[]): Promise<Cluster> {
  const kinds = new Map<string, string>([['Secret', 'v1']]);
  for (const { kind, apiVersion } of manifests) kinds.set(kind, apiVersion);
  const objects = new Map<string, Stored>();

  async function answer(request: IncomingMessage): Promise<{ code: number; body: unknown } | 'watch'> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://cluster');
    const described = describe(pathname, kinds);
    if (described !== undefined) return { code: 200, body: described };
    const [, plural = '', name = '', part] = PLACE.exec(pathname) ?? [];
    const [kind, apiVersion] = [...kinds].find(([each]) => pluralOf(each) === plural) ?? [];
    if (kind === undefined) return failure(404, 'NotFound');
    if (request.method === 'GET' && name === '') {
      if (searchParams.get('watch') === 'true') return 'watch';
      const wanted = searchParams.get('fieldSelector')?.replace('metadata.name=', '');
      const items = [...objects.values()].filter(
        (each) => each.kind === kind && (wanted === undefined || each.metadata.name === wanted),
      );
      const list = { kind: `${kind}List`, apiVersion, metadata: { resourceVersion: '1' } };
      return { code: 200, body: { ...list, items: items.map(withStatus) } };
    }
    const hasBody = ['POST', 'PUT', 'PATCH'].includes(request.method ?? '');
    const sent = hasBody ? readBody(await buffer(request)) : undefined;
    const key = `${plural}/${name || stored.parse(sent).metadata.name}`;
    const former = objects.get(key);
    if (request.method === 'POST' ? former !== undefined : former === undefined)
      return failure(former === undefined ? 404 : 409, former === undefined ? 'NotFound' : 'AlreadyExists');
    if (request.method === 'DELETE') {
      objects.delete(key);
      return { code: 200, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };
    }
    if (sent !== undefined) {
      const next = stored.parse(request.method === 'PATCH' ? merge(former, sent) : sent);
      next.metadata = { uid: key, resourceVersion: '1', ...next.metadata };
      next.metadata.generation += 1;
      objects.set(key, next);
    }
    const object = objects.get(key);
    const scale = {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: object?.metadata,
      spec: object?.spec,
    };
    return { code: 200, body: part === 'scale' ? scale : object && withStatus(object) };
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (said) => {
        if (said === 'watch')
          return response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
        response.writeHead(said.code, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
      },
      (error: unknown) => void response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Which groups, kinds and parameters there are. */
function describe(path: string, kinds: ReadonlyMap<string, string>): object | undefined {
  const versions = [...new Set(kinds.values())];
  const pathOf = (version: string) => (version.includes('/') ? `apis/${version}` : `api/${version}`);
  if (path === '/version') return { major: '1', minor: '32', gitVersion: 'v1.32.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = versions.flatMap((groupVersion) => {
      const [name = '', version] = groupVersion.split('/');
      if (version === undefined) return [];
      return [{ name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } }];
    });
    return { kind: 'APIGroupList', apiVersion: 'v1', groups };
  }
  if (path === '/openapi/v3') {
    const paths = versions.map((each) => [
      pathOf(each),
      { serverRelativeURL: `/openapi/v3/${pathOf(each)}` },
    ]);
    return { paths: Object.fromEntries(paths) };
  }
  const ofVersion = versions.find((each) => path.replace('/openapi/v3', '') === `/${pathOf(each)}`);
  if (ofVersion === undefined) return undefined;
  const own = [...kinds].flatMap(([kind, version]) => (version === ofVersion ? [kind] : []));
  const [version = '', group = ''] = ofVersion.split('/').toReversed();
  if (path.startsWith('/openapi')) {
    const parameters = [{ name: 'fieldValidation', in: 'query', schema: { type: 'string' } }];
    const paths = own.map((kind) => [
      `/${pathOf(ofVersion)}/${pluralOf(kind)}/{name}`,
      { patch: { parameters, responses: {}, 'x-kubernetes-group-version-kind': { group, version, kind } } },
    ]);
    return { openapi: '3.0.0', info: { title: '', version: '' }, paths: Object.fromEntries(paths) };
  }
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  const resources = own.flatMap((kind) => {
    const name = pluralOf(kind);
    const common = { singularName: kind.toLowerCase(), namespaced: kind !== 'Namespace', verbs };
    const shortNames = kind === 'HorizontalPodAutoscaler' ? ['hpa'] : [];
    const scale = { ...common, name: `${name}/scale`, group: 'autoscaling', version: 'v1', kind: 'Scale' };
    return [{ ...common, name, kind, shortNames }, ...(kind === 'Deployment' ? [scale] : [])];
  });
  return { kind: 'APIResourceList', groupVersion: ofVersion, resources };
}

/** What kubectl sends: JSON, or in the form of protocol buffers a secret that it has made. */
function readBody(bytes: Buffer): unknown {
  if (bytes.toString('latin1', 0, 4) !== 'k8s\0') return JSON.parse(bytes.toString());
  const [, secret] = fieldsOf(bytes.subarray(4)).find(([field]) => field === 2) ?? [];
  const fields = fieldsOf(secret ?? Buffer.of());
  const named = fieldsOf(fields.find(([field]) => field === 1)?.[1] ?? Buffer.of());
  const entries = fields.flatMap(([field, entry]) => (field === 2 ? [fieldsOf(entry)] : []));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: named.find(([field]) => field === 1)?.[1].toString() },
    data: Object.fromEntries(
      entries.map(([key, value]) => [key?.[1].toString(), value?.[1].toString('base64')]),
    ),
  };
}

/** The fields of a message of protocol buffers that have bytes, by their numbers. */
function fieldsOf(message: Buffer): [field: number, bytes: Buffer][] {
  const found: [number, Buffer][] = [];
  let at = 0;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const size = number();
    if ((tag & 7) !== 2) continue;
    found.push([tag >> 3, message.subarray(at, at + size)]);
    at += size;
  }
  return found;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396. */
function merge(former: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = isRecord(former) ? { ...former } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  }
  return merged;
}

function withStatus(object: Stored): object {
  const count = object.spec?.replicas ?? 1;
  const counts = { replicas: count, updatedReplicas: count, readyReplicas: count, availableReplicas: count };
  if (object.kind === 'Deployment')
    return { ...object, status: { observedGeneration: object.metadata.generation, ...counts } };
  if (object.kind === 'Job')
    return { ...object, status: { conditions: [{ type: 'Complete', status: 'True' }] } };
  return object;
}
