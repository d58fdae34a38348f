import type { Json } from '../domain/types.js';
import { indent, type Lines, line, section } from './describe-parts.js';
import { at, isObject, listAt, textAt } from './json.js';

/** The volumes of a pod or template, each with its source. */
export function volumeLines(spec: Json | undefined): Lines {
  return section(
    'Volumes',
    listAt(spec, 'volumes').flatMap((volume) => [`${textAt(volume, 'name')}:`, ...indent(volumeSource(volume))]),
  );
}

function volumeSource(volume: Json): string[] {
  const claim = at(volume, 'persistentVolumeClaim');
  if (claim !== undefined) {
    const readOnly = at(claim, 'readOnly') === true;
    return [
      line('Type', 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)'),
      line('ClaimName', textAt(claim, 'claimName')),
      line('ReadOnly', String(readOnly)),
    ];
  }
  const map = at(volume, 'configMap');
  if (map !== undefined) {
    return [
      line('Type', 'ConfigMap (a volume populated by a ConfigMap)'),
      line('Name', textAt(map, 'name')),
      line('Optional', String(at(map, 'optional') === true)),
    ];
  }
  const secret = at(volume, 'secret');
  if (secret !== undefined) {
    return [
      line('Type', 'Secret (a volume populated by a Secret)'),
      line('SecretName', textAt(secret, 'secretName')),
      line('Optional', String(at(secret, 'optional') === true)),
    ];
  }
  if (at(volume, 'emptyDir') !== undefined) {
    const limit = textAt(volume, 'emptyDir', 'sizeLimit') || '<unset>';
    return [
      line('Type', "EmptyDir (a temporary directory that shares a pod's lifetime)"),
      line('Medium', textAt(volume, 'emptyDir', 'medium')),
      line('SizeLimit', limit),
    ];
  }
  if (at(volume, 'hostPath') !== undefined) {
    const type = textAt(volume, 'hostPath', 'type');
    return [
      line('Type', 'HostPath (bare host directory volume)'),
      line('Path', textAt(volume, 'hostPath', 'path')),
      line('HostPathType', type),
    ];
  }
  if (at(volume, 'projected') !== undefined) return projectedSource(listAt(volume, 'projected', 'sources'));
  const [type = 'unknown'] = isObject(volume) ? Object.keys(volume).filter((key) => key !== 'name') : [];
  return [line('Type', type)];
}

function projectedSource(sources: readonly Json[]): string[] {
  return [
    line('Type', 'Projected (a volume that contains injected data from multiple sources)'),
    ...sources.flatMap((source) => {
      const token = at(source, 'serviceAccountToken');
      if (token !== undefined) return [line('TokenExpirationSeconds', textAt(token, 'expirationSeconds'))];
      if (at(source, 'configMap') !== undefined) return [line('ConfigMapName', textAt(source, 'configMap', 'name'))];
      if (at(source, 'secret') !== undefined) return [line('SecretName', textAt(source, 'secret', 'name'))];
      return at(source, 'downwardAPI') === undefined ? [] : [line('DownwardAPI', 'true')];
    }),
  ];
}
