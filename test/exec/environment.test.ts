import { describe, expect, test } from 'vitest';
import { childEnv, isForbiddenEnv } from '../../src/exec/environment.js';

describe('the environment of a child', () => {
  test.each([
    ...[
      'KUBECTL_EXTERNAL_DIFF',
      'KUBECTL_PORT_FORWARD_WEBSOCKETS',
      'KUBE_EDITOR',
      'KUBERC',
      'EDITOR',
      'VISUAL',
      'PAGER',
      'LESSOPEN',
    ],
    ...[
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'BASH_ENV',
      'ENV',
      'PS4',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'PERL5LIB',
      'RUBYOPT',
    ],
    ...[
      'GIT_SSH_COMMAND',
      'GIT_EXTERNAL_DIFF',
      'GIT_PROXY_COMMAND',
      'GIT_ASKPASS',
      'GIT_CONFIG_COUNT',
      'GIT_EXEC_PATH',
      'SSH_ASKPASS',
    ],
    ...[
      'HELM_PLUGINS',
      'HELM_KUBEAPISERVER',
      'SYSTEMD_EDITOR',
      'ANSIBLE_SSH_EXECUTABLE',
      'ANSIBLE_CALLBACK_PLUGINS',
      'OPENSSL_CONF',
    ],
  ])('never holds %s, which can make a program start another one', (name) => {
    expect(isForbiddenEnv(name)).toBe(true);
    expect(childEnv({ [name]: '/tmp/evil', PATH: '/bin' }, [name, 'PATH'], {})).toEqual({ PATH: '/bin' });
  });

  test.each([
    'KUBECONFIG',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'SSH_AUTH_SOCK',
    'AWS_PROFILE',
    'https_proxy',
    'EDITORIAL',
    'PROMETHEUS_URL',
  ])('holds %s where the tool file lists it', (name) => {
    expect(childEnv({ [name]: 'x' }, [name], {})).toEqual({ [name]: 'x' });
    expect(childEnv({ [name]: 'x' }, [], {})).toEqual({});
  });
});
