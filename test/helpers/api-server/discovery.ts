import { apiVersionOf, type ResourceType } from './resources.js';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const SUBRESOURCE_VERBS: Record<string, string[]> = {
  log: ['get'],
  eviction: ['create'],
  exec: ['create', 'get'],
  attach: ['create', 'get'],
  portforward: ['create', 'get'],
  finalize: ['update'],
};
const SUBRESOURCE_KINDS: Record<string, { group: string; version: string; kind: string }> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  exec: { group: '', version: 'v1', kind: 'PodExecOptions' },
  attach: { group: '', version: 'v1', kind: 'PodAttachOptions' },
  portforward: { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
};

const verbsOf = (type: ResourceType): string[] => {
  if (type.plural === 'bindings' || type.plural === 'selfsubjectaccessreviews') return ['create'];
  return type.group === 'metrics.k8s.io' ? ['get', 'list'] : VERBS;
};

const subresourceVerbs = (name: string): string[] => SUBRESOURCE_VERBS[name] ?? ['get', 'patch', 'update'];

/** The APIResourceList of one group and version, or undefined when nothing is served there. */
export function resourceList(types: readonly ResourceType[], groupVersion: string): object | undefined {
  const served = types.filter((type) => apiVersionOf(type) === groupVersion);
  if (served.length === 0) return undefined;
  const resources = served.flatMap((type) => [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: verbsOf(type),
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    },
    ...type.subresources.map((name) => ({
      name: `${type.plural}/${name}`,
      singularName: '',
      namespaced: type.namespaced,
      ...(SUBRESOURCE_KINDS[name] ?? { kind: type.kind }),
      verbs: subresourceVerbs(name),
    })),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function groupsOf(types: readonly ResourceType[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const type of types) {
    const versions = groups.get(type.group) ?? [];
    if (!versions.includes(type.version)) versions.push(type.version);
    groups.set(type.group, versions);
  }
  return groups;
}

/** The APIGroupList of /apis, without the core group. */
export function groupList(types: readonly ResourceType[]): object {
  const groups = [...groupsOf(types)]
    .filter(([name]) => name !== '')
    .map(([name, versionNames]) => {
      const versions = versionNames.map((version) => ({ groupVersion: `${name}/${version}`, version }));
      return { name, versions, preferredVersion: versions[0] };
    });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** The APIVersions object of /api. */
export const coreVersions = (): object => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [],
});

/** What the content type of an aggregated discovery document is (kubectl 1.27 and newer ask for it). */
export const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function aggregatedResource(type: ResourceType): object {
  const responseKind = { group: type.group, version: type.version, kind: type.kind };
  return {
    resource: type.plural,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    shortNames: type.shortNames,
    categories: type.categories,
    subresources: type.subresources.map((name) => ({
      subresource: name,
      responseKind: SUBRESOURCE_KINDS[name] ?? responseKind,
      verbs: subresourceVerbs(name),
    })),
  };
}

/** Aggregated discovery of /api (the core group) or of /apis (all others). */
export function aggregatedList(types: readonly ResourceType[], core: boolean): object {
  const items = [...groupsOf(types)]
    .filter(([name]) => (name === '') === core)
    .map(([name, versions]) => ({
      metadata: { name, creationTimestamp: null },
      versions: versions.map((version) => ({
        version,
        freshness: 'Current',
        resources: types.filter((type) => type.group === name && type.version === version).map(aggregatedResource),
      })),
    }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}
