import { describe, expect, it } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { type ModelSettingSources, resolveModelSettings } from '../../src/llm/settings.js';

type Given = Partial<ModelSettingSources>;
const resolve = (given: Given) => resolveModelSettings({ flags: {}, env: {}, config: {}, ...given });
const OPENAI = 'https://api.openai.com/v1';
const LOCAL = 'http://localhost:11434/v1';

describe('a key stays with the server it was set for', () => {
  const key = 'sk-openai-aaaaaaaa';
  const withheld = 'Give the key of this server with OPSAGENT_API_KEY or --api-key.';

  it.each<[string, Given, string]>([
    ['a flag', { flags: { model: 'm', baseUrl: 'https://evil.example/v1' } }, 'api.openai.com'],
    [
      'a configuration',
      { flags: { model: 'm' }, config: { model: { base_url: 'https://evil.example/v1' } } },
      'api.openai.com',
    ],
    [
      'OPSAGENT_BASE_URL',
      { flags: { model: 'm' }, env: { OPSAGENT_BASE_URL: 'https://evil.example/v1' } },
      'api.openai.com',
    ],
    [
      'a flag, with a base URL of its own',
      { flags: { model: 'm', baseUrl: 'https://evil.example/v1' }, env: { OPENAI_BASE_URL: 'https://gw.example/v1' } },
      'OPENAI_BASE_URL',
    ],
  ])('OPENAI_API_KEY does not go to the base URL of %s', (_, given, owner) => {
    expect(resolve({ ...given, env: { ...given.env, OPENAI_API_KEY: key } })).toEqual({
      baseUrl: 'https://evil.example/v1',
      model: 'm',
      notices: [`OPENAI_API_KEY was not sent to evil.example: it belongs to ${owner}. ${withheld}`],
    });
  });

  it('a configured key does not go to the base URL of a variable', () => {
    const config = { model: { name: 'm', base_url: 'https://gw.example/v1', api_key: key } };
    expect(resolve({ config, env: { OPSAGENT_BASE_URL: LOCAL } })?.apiKey).toBeUndefined();
  });

  it('OPSAGENT_API_KEY does not go to the base URL of a flag when it came with its own', () => {
    const env = { OPSAGENT_API_KEY: key, OPSAGENT_BASE_URL: 'https://gw.example/v1' };
    expect(resolve({ env, flags: { model: 'm', baseUrl: LOCAL } })?.apiKey).toBeUndefined();
  });

  it.each<[string, Given, string]>([
    ['OPENAI_API_KEY to OpenAI', { env: { OPENAI_API_KEY: key } }, OPENAI],
    [
      'OPENAI_API_KEY to OPENAI_BASE_URL',
      { env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'https://gw.example/v1' } },
      'https://gw.example/v1',
    ],
    [
      'OPENAI_API_KEY to a flag of the same origin',
      {
        env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'https://gw.example/v1' },
        flags: { model: 'm', baseUrl: 'https://gw.example/v2' },
      },
      'https://gw.example/v2',
    ],
    [
      'OPSAGENT_API_KEY to a configured server',
      { env: { OPSAGENT_API_KEY: key }, config: { model: { base_url: LOCAL } } },
      LOCAL,
    ],
    ['--api-key to whatever is chosen', { flags: { model: 'm', apiKey: key }, env: { OPENAI_BASE_URL: LOCAL } }, LOCAL],
    ['a configured key to the configured server', { config: { model: { api_key: key, base_url: LOCAL } } }, LOCAL],
  ])('sends %s', (_, given, baseUrl) => {
    expect(resolve({ flags: { model: 'm' }, ...given })).toEqual({ baseUrl, apiKey: key, model: 'm', notices: [] });
  });

  it('takes the next key that fits when one may not be used', () => {
    const env = { OPENAI_API_KEY: key };
    const config = { model: { name: 'm', base_url: LOCAL, api_key: 'local-key' } };
    const settings = resolve({ env, config });
    expect([settings?.apiKey, settings?.notices.length]).toEqual(['local-key', 1]);
  });

  it('warns of a key on an open line, but not on this machine', () => {
    const flags = { model: 'm', apiKey: key };
    expect(resolve({ flags: { ...flags, baseUrl: 'http://gw.example/v1' } })?.notices).toEqual([
      'The API key travels unencrypted to gw.example; use https:// if the server can.',
    ]);
    expect(resolve({ flags: { ...flags, baseUrl: 'http://[::1]:8000/v1' } })?.notices).toEqual([]);
  });
});

describe('what is chosen', () => {
  it('no model is used because a key lies in the environment', () => {
    expect(resolve({ env: { OPENAI_API_KEY: 'sk-a', OPSAGENT_BASE_URL: LOCAL, OPSAGENT_MODEL: ' ' } })).toBeUndefined();
  });

  it('OPENAI_MODEL alone is no reason to fail', () => {
    expect(resolve({ env: { OPENAI_MODEL: 'gpt' } })).toBeUndefined();
  });

  it.each<[string, Given]>([
    ['--base-url without a model', { flags: { baseUrl: LOCAL } }],
    ['--model without key and server', { flags: { model: 'm' } }],
    ['OPSAGENT_MODEL without key and server', { env: { OPSAGENT_MODEL: 'm' } }],
    ['a base URL without http', { flags: { model: 'm', baseUrl: 'localhost:8000' } }],
    ['a base URL that is a key', { flags: { model: 'm', baseUrl: 'sk-secret-key' } }],
    ['a base URL with a password', { flags: { model: 'm', baseUrl: 'https://me:secret-key@host/v1' } }],
    ['a key of two lines', { flags: { model: 'm', baseUrl: LOCAL, apiKey: 'a\nsecret-key' } }],
  ])('refuses %s and shows no value', (_, given) => {
    let thrown: unknown;
    try {
      resolve(given);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(OpsError);
    expect(thrown).toMatchObject({ exit: 'usage' });
    expect(String(thrown)).not.toContain('secret-key');
  });

  it('flags go before OPSAGENT_*, these before OPENAI_*, these before the configuration', () => {
    const config = { model: { name: 'config', base_url: 'http://config' } };
    const env = { OPENAI_MODEL: 'openai', OPENAI_BASE_URL: 'http://openai' };
    const own = { OPSAGENT_MODEL: 'own', OPSAGENT_BASE_URL: 'http://own' };
    const flags = { model: 'flag', baseUrl: 'http://flag' };
    expect(
      [
        { config },
        { config, env },
        { config, env: { ...env, ...own } },
        { config, env: { ...env, ...own }, flags },
      ].map((given) => resolve(given)),
    ).toEqual(['config', 'openai', 'own', 'flag'].map((model) => ({ model, baseUrl: `http://${model}`, notices: [] })));
  });

  it.each([
    [' http://localhost:11434/v1/ ', LOCAL],
    ['http://localhost:11434/v1/chat/completions', LOCAL],
    ['https://host/openai/v1?api-version=1#x', 'https://host/openai/v1?api-version=1'],
    ['https://api.deepseek.com', 'https://api.deepseek.com'],
  ])('reads the base URL %s', (baseUrl, expected) => {
    expect(resolve({ flags: { model: 'm', baseUrl } })?.baseUrl).toBe(expected);
  });
});
